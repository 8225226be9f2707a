"""Which speakers a question is about, and how little messages are about them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from mem0g.retrieve.question.kinds import asks_about_user
from mem0g.retrieve.ranking.speaker_names import Capital, is_named
from mem0g.text.languages import FIRST_PERSON, SPEAKING, word_set
from mem0g.text.stemming import token_set

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

    from mem0g.retrieve.ranking.proximity import Scores
    from mem0g.retrieve.ranking.said import Said
    from mem0g.store.candidates import FactColumns, MessageColumns

_OTHERS: Final = frozenset(
    "he she they you he's she's they're you're his her their your er sie du ihr dein deine sein seine ihre él ella tú "
    "il elle tu hij zij jij".split()
)
"""Words for others. Where none of them stands, a speaker may have left out "I": "signed for the flat"."""

_SPEAK, _MINE, _OF_OTHERS = 1, 2, 4

MINE, UNNAMED, NOBODY, OF_OTHERS, OWN_OF_OTHERS = -0.5, -0.4, -1.0, -2.0, -2.5
"""How little a message is about those asked about if they only say "my", name nobody, or speak of others; and if
somebody else says it, or says it of himself."""


def speakers_asked(question: str, columns: MessageColumns) -> frozenset[str]:
    """Return the speakers whom the question names; the only user among the speakers if it is about the user.

    The name of an assistant is often a word for what it does ("tutor"): it must be written with a capital.
    """
    speakers, roles = columns.speakers, columns.roles
    latest = dict(zip(speakers.codes.tolist(), roles.codes.tolist(), strict=True))
    named: set[str] = set()
    for each, role in latest.items():
        capital: Capital = "always" if roles.names[role] == "assistant" else "usual"
        if is_named(speakers.names[each], question, capital=capital):
            named.add(speakers.names[each])
    if not named and asks_about_user(question):
        users = set(speakers.codes[roles.are(("user",))].tolist())
        named = {speakers.names[each] for each in users} if len(users) == 1 else set()
    return frozenset(named)


def about_asked(asked: Collection[str], columns: MessageColumns, said: Said) -> Scores:
    """Return how little each message is about the speakers ``asked`` about, shape (messages,), 0 without any.

    0 where they say "I", or somebody else names them; else below 0: see MINE to OWN_OF_OTHERS. ``said``: what the
    messages say.
    """
    if not asked:
        return np.zeros(len(columns.ids))
    persons = said.noted("persons", _persons)
    speak, mine, others = (persons & each > 0 for each in (_SPEAK, _MINE, _OF_OTHERS))
    own = np.where(speak, 0.0, np.where(mine, MINE, np.where(others, NOBODY, UNNAMED)))
    theirs = columns.speakers.are(asked)
    scores: Scores = np.where(theirs, own, np.where(speak, OWN_OF_OTHERS, OF_OTHERS))
    for place in np.flatnonzero(~theirs & _may_name(asked, said)).tolist():
        capital: Capital = "usual" if columns.roles[place] == "assistant" else "any"
        if any(is_named(each, columns.texts[place], capital=capital) for each in asked):
            scores[place] = 0.0
    return scores


def _persons(text: str) -> int:
    """Return of which persons a text has words: _SPEAK to _OF_OTHERS, added up."""
    words = word_set(text)
    kinds = ((_SPEAK, SPEAKING), (_MINE, FIRST_PERSON), (_OF_OTHERS, _OTHERS))
    return sum(kind for kind, known in kinds if words & known)


def _may_name(asked: Collection[str], said: Said) -> NDArray[np.bool_]:
    """Return which statements have a content word of a name, as those that name somebody do, shape (statements,)."""
    return said.having(frozenset().union(*map(token_set, asked)))


def facts_of_others(
    asked: Collection[str], anchors: Collection[str], speakers: Collection[str], given: tuple[FactColumns, Said]
) -> NDArray[np.bool_]:
    """Return which facts are of speakers other than those ``asked`` about, shape (facts,), none without any.

    Not those of an entity in ``anchors``, the ids of what the question names, and not those whose text names one asked.
    ``given``: the facts, and what they say.
    """
    facts, said = given
    if not asked:
        return np.zeros(len(facts.ids), dtype=bool)
    others: NDArray[np.bool_] = facts.subjects.are(frozenset(speakers).difference(asked))
    others &= ~(facts.subject_ids.are(anchors) | facts.object_ids.are(anchors))
    for place in np.flatnonzero(others & _may_name(asked, said)).tolist():
        others[place] = not any(is_named(each, facts.texts[place], capital="any") for each in asked)
    return others
