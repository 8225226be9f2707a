"""Which samples of a LOCOMO file a benchmark is about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from benchmarks.locomo import Conversation
from mem0g.errors import InputError

SampleOption = Annotated[list[str] | None, typer.Option(help="Only these samples. [default: all]")]


def of_samples(conversations: Sequence[Conversation], samples: Sequence[str]) -> list[Conversation]:
    """The conversations of these ids, in their order in the file; all without any. Raises InputError for an unknown."""
    known = [each.id for each in conversations]
    for sample in samples:
        if sample not in known:
            raise InputError(f"no sample {sample!r}", hint=f"there are {', '.join(known)}")
    return [each for each in conversations if not samples or each.id in samples]
