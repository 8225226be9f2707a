"""Messages to triples: by rules, by a language model, or not at all."""

from __future__ import annotations

from collections.abc import Sequence

from mem0g.extract.protocol import Window
from mem0g.model import Triple


class NoExtractor:
    """Extracts nothing: messages are stored and searched as they are, or triples are added by other means."""

    name = "none"

    def extract(self, window: Window) -> Sequence[Triple]:
        """Return no triples."""
        del window
        return ()
