"""The patterns, by theme, in the order in which they are tried."""

from __future__ import annotations

from functools import cache

from mem0g.extract.rules.patterns import Pattern


@cache
def patterns() -> tuple[Pattern, ...]:
    """All patterns; the first that matches a clause and finds an object makes the claim."""
    from mem0g.extract.rules.themes import events, family, home, taste, work

    return (*home.PATTERNS, *work.PATTERNS, *family.PATTERNS, *taste.PATTERNS, *events.patterns())
