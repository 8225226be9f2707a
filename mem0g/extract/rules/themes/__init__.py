"""Verb patterns by theme, in the order in which they are tried."""

from __future__ import annotations

from functools import cache

from mem0g.extract.rules.grammar.verb_phrases import Pattern


@cache
def patterns() -> tuple[Pattern, ...]:
    """Return all patterns; the first that matches a predicate and finds an object makes the claim."""
    from mem0g.extract.rules.themes import endings, events, tastes, work
    from mem0g.extract.rules.themes.home_and_family import FAMILY, HOME

    return (*endings.PATTERNS, *HOME, *work.PATTERNS, *FAMILY, *tastes.PATTERNS, *events.patterns())
