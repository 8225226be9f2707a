"""The rules extractor."""

from __future__ import annotations

from mem0g.extract.protocol import Window
from mem0g.model import Triple


class RulesExtractor:
    """Finds the plain statements people make about themselves and theirs."""

    name = "rules"

    def extract(self, window: Window) -> tuple[Triple, ...]:
        """The claims that the window's new messages make, in the order they are made."""
        return ()
