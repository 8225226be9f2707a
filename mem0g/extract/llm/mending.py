"""Mend slips of an extraction reply that can mean one thing only, so that they do not cost a second call."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from mem0g.extract.llm.replies import NamedEntity, StatedFact
from mem0g.extract.protocol import KnownState, Window
from mem0g.model import is_literal
from mem0g.text.names import fold, statement_key

_ARTICLE = re.compile(r"(?:the|an?)\s+", re.IGNORECASE)


def mended(
    entities: Sequence[NamedEntity], facts: Sequence[StatedFact], window: Window
) -> tuple[list[NamedEntity], list[StatedFact]]:
    """Return the entities and facts with these slips mended; all else is left as it is, for the checks.

    An object that is listed and literal is the entity. A name that differs from a listed one in its article is that
    one. A name that is not listed, but that of a known entity or of a speaker, is listed. A known state that is taken
    back has the value that it has there.
    """
    listed = {fold(name): name for each in entities for name in (each.name, *each.aliases) if name.strip()}
    unarticled = {_bare(name): name for name in listed.values()}
    known = _known(window)
    values = {_core(each) for each in window.states if is_literal(each.object_type)}
    added: dict[str, NamedEntity] = {}

    def named(name: str) -> str:
        if fold(name) in listed or not name.strip():
            return name
        if _bare(name) in unarticled:
            return unarticled[_bare(name)]
        if fold(name) in known:
            added.setdefault(known[fold(name)].name, known[fold(name)])
        return name

    made = []
    for each in facts:
        change: dict[str, object] = {"subject": named(each.subject)}
        if each.retracts and fold(each.object) not in listed and _core(each) in values:
            change["literal"] = True
        elif each.literal and fold(each.object) in listed:
            change["literal"] = False
        elif not each.literal:
            change["object"] = named(each.object)
        made.append(each.model_copy(update=change))
    return [*entities, *added.values()], made


def _known(window: Window) -> dict[str, NamedEntity]:
    """Return the known entities and the speakers of a window, by folded name, and the ends of its known states."""
    found = {fold(name): NamedEntity(name=name, type="person", aliases=[]) for name in _speakers(window)}
    for state in window.states:
        for name, type_ in ((state.subject, state.subject_type), (state.object, state.object_type)):
            if not is_literal(type_):
                found[fold(name)] = NamedEntity(name=name, type=type_, aliases=[])
    for each in window.known:
        entity = NamedEntity(name=each.name, type=each.type, aliases=list(each.aliases))
        found |= {fold(name): entity for name in (*each.aliases, each.name)}
    return found


def _core(each: StatedFact | KnownState) -> tuple[str, str, str]:
    return statement_key(each.subject, each.relation, each.object)


def _speakers(window: Window) -> Iterable[str]:
    return (*window.speakers, *(message.speaker for message in window.messages))


def _bare(name: str) -> str:
    """Return the folded name without an article."""
    return fold(_ARTICLE.sub("", name.strip(), count=1))
