"""Messages to triples."""

from __future__ import annotations

from collections.abc import Sequence

from mem0g.extract.protocol import Window
from mem0g.model import Triple


class NoExtractor:
    """Extracts nothing: messages are stored and searched as they are, or triples come from elsewhere."""

    name = "none"

    def extract(self, window: Window) -> Sequence[Triple]:
        """No triples."""
        del window
        return ()
