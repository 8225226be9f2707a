"""The formats that are read, and which of them a text is."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from mem0g.transcripts import chatgpt, locomo, openai_json, openai_jsonl, plain, srt, vtt, whatsapp
from mem0g.transcripts.protocol import Format

FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        module.FORMAT.name: module.FORMAT
        for module in (
            # The first that recognises a text reads it, so a more particular format stands before a more general one.
            locomo,
            chatgpt,
            openai_jsonl,
            openai_json,
            vtt,
            srt,
            whatsapp,
            plain,
        )
    }
)
"""Every format by the name that ``--format`` takes, in the order in which they are tried."""


def recognise(text: str) -> Format | None:
    """The format of ``text`` by its content, None when it is none of them."""
    return next((form for form in FORMATS.values() if form.recognises(text)), None)
