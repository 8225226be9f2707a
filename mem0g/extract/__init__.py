"""Messages to triples."""

from __future__ import annotations

from collections.abc import Sequence

from mem0g.errors import InputError
from mem0g.extract.protocol import Extractor, Window
from mem0g.model import Triple


class NoExtractor:
    """Extracts nothing: messages are stored and searched as they are, or triples come from elsewhere."""

    name = "none"

    def extract(self, window: Window) -> Sequence[Triple]:
        """No triples."""
        del window
        return ()


def open_extractor(spec: str | Extractor) -> Extractor:
    """The extractor of that name, "rules" or "none"; an Extractor is given back. Raises InputError for another name."""
    if not isinstance(spec, str):
        return spec
    if spec == "rules":
        from mem0g.extract.rules import RulesExtractor

        return RulesExtractor()
    if spec == "none":
        return NoExtractor()
    raise InputError(f"unknown extractor {spec!r}", hint="use rules or none")
