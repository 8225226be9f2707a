"""The patterns, by theme, in the order in which they are tried."""

from __future__ import annotations

from functools import cache

from mem0g.extract.rules.patterns import Pattern


@cache
def patterns() -> tuple[Pattern, ...]:
    """All patterns; the first that matches a clause and finds an object makes the claim."""
    from mem0g.extract.rules.themes.events import patterns as events
    from mem0g.extract.rules.themes.family import PATTERNS as FAMILY
    from mem0g.extract.rules.themes.home import PATTERNS as HOME
    from mem0g.extract.rules.themes.taste import PATTERNS as TASTE
    from mem0g.extract.rules.themes.work import PATTERNS as WORK

    return (*HOME, *WORK, *FAMILY, *TASTE, *events())
