"""Selection of samples of a LOCOMO file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from benchmarks.locomo import Conversation
from mem0g.errors import InputError

SampleOption = Annotated[list[str] | None, typer.Option(help="Only these samples. [default: all]")]


def of_samples(conversations: Sequence[Conversation], samples: Sequence[str]) -> list[Conversation]:
    """Return the conversations of these ids, in the order of the file; all if there are none.

    Raises InputError for an unknown id.
    """
    known = [each.id for each in conversations]
    for sample in samples:
        if sample not in known:
            raise InputError(f"no sample {sample!r}", hint=f"there are {', '.join(known)}")
    return [each for each in conversations if not samples or each.id in samples]
