"""Ranking signals: each scores every candidate of a search, and a candidate's score is their weighted sum.

    s0 = 0.5 z(d) + 0.5 z(d') + 0.15 z(b) + 0.15 z(w)        s = s0 + 0.15 z(t) + 0.15 z(e) + 1.5 m + 1.5 r

for a fact: d is the cosine of question and text, d' the same with the names cut out of the question; b is BM25 of the
text, w BM25 of the text with the messages around its evidence; t is the best s0 of another fact whose evidence is at
most four messages away, e of another that shares an entity; m is how well its date matches one that the question names,
less if that is the day on which it was said; r is 1 for a fact of an entity that the question names, when it also names
the relation (see ``named_edges``), 0.5 if it names the class of the other end ("books"), and another 0.5 if it asks for
several things; the only fact between two entities that the question names gets 1 point more, one that has what the
question asks for another, one that was true then or before, if that is asked for, 1.1, and one that the question names
as its subject's ("Ann's boss") 0.5; a named edge of others than the question's subject loses 1.5, one that says only
who a relative is 3, a fact of another speaker than the one asked about 1. z is the z-score over the candidates that
state something, of d and d' over facts and messages together, so that few facts do not look better than they are and
questions change no score. A message is scored by 0.5 z(d) + 0.5 z(d') + 0.25 z(b) + 0.25 z(w) + 0.3 t + 0.5 a + 0.7 c +
3 y, less the penalties below; a is the s0 of the question that the message may answer, c what a short message inherits
from those that it continues (see ``CandidateSet.context``), y is 1 if it has what the question asks for, such as a
number or a code (see ``answer_types``), and names of speakers who are asked about do not count in b and w. More are 0
for most questions: 2 for a fact that is like one of another person (see ``common_ground``), 2 for a message of the
person whose words are asked for, and 1 for a message that says that something changed, if the latest statement is asked
for. The points of those that were said later are added to the sum (see ``updates``).

The weights of d to m were chosen on five LOCOMO conversations by leaving one out; halving or doubling one moves recall
by 0.3 points. Those of r and of messages were chosen on the same conversations without leaving one out, those of c, y,
changes, brevity and recency on nine chats, near what fits that leave one chat out gave; those of what denies, of what
tells how it used to be, and of messages about others on eight further chats.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Protocol

import numpy as np

from mem0g.retrieve.question.kinds import asks_for_several, asks_for_words, may_be_denied
from mem0g.retrieve.question.present import may_have_changed
from mem0g.retrieve.ranking.about import facts_of_others
from mem0g.retrieve.ranking.candidate_set import FACT_KEYWORDS, MESSAGE_KEYWORDS, CandidateSet
from mem0g.retrieve.ranking.common_ground import common_ground
from mem0g.retrieve.ranking.keyword_scores import z
from mem0g.retrieve.ranking.named_edges import (
    edges_between,
    identities,
    introductions,
    named_classes,
    owned_edges,
    subjects_of,
)
from mem0g.retrieve.ranking.recency import asks_for_latest
from mem0g.retrieve.ranking.said import CHANGES, ENDS
from mem0g.retrieve.ranking.times_asked import points_for_times
from mem0g.retrieve.ranking.wording import MARKED, WISHING
from mem0g.text.corrections import denies, is_over, tells_of_past
from mem0g.text.languages import asks_for_wishes

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from mem0g.retrieve.ranking.proximity import Scores

NAMED_EDGE = 1.5
"""Points of a fact for an edge that the question names."""

BETWEEN = 1.0
"""Points of the only fact between two entities that the question names; several between the same two share them."""

IDENTITY = 3.0
"""Points of a fact that says who somebody is, if nothing else is asked: "Fee is Jude's sister"."""

OWNED = 0.5
"""Points of a fact that the question names as something of its subject's: Ann's sister, not whose sister Ann is."""

OF_OTHERS = 1.5
"""Points that a named edge loses if neither end is the question's subject: for "Does Ann still live in Rome?", the fact
that somebody else lives in Rome."""

AS_OBJECT = 1.0
"""The same where the question's subject is the object of the edge: "Who does Ann report to?" asks for Ann's boss, not
for whose boss Ann is."""

INTRODUCES = 3.0
"""Points that a fact loses if it only says who a relative is, and the question asks something else about them: "What is
Ann's sister allergic to?" Named by the question, and close to it in words, it has gained about as many before."""

NAMED_CLASS = 0.7
"""Points of a fact between an entity that the question names and one of a class that it names: "Which books has Ann
read?" and "Ann finished Emma", a book."""

OF_ASKED = 0.7
"""Points of a fact of an entity that the question names, if it asks for several things: what a list lacks is less like
the question than the best hits, but it is a fact of the same entity. For other questions this loses as much as it wins.
"""

IN_COMMON = 2.0
"""Points of a fact that says the same as one of another person, if the question asks what they have in common."""

HANDICAP = 1.3
"""By how much a message must fit better than a fact, which says the same in fewer words and with a date. With many
facts a higher value does as well, with few facts a lower one."""

ONLY_ASKS = 2.0
"""Penalty of a message that ends with a question: the answer is in the next one."""

WISHES = 2.0
"""Penalty of a message that states a wish or a supposition, unless the question asks for wishes: "I wish I had a dog"
is no evidence of a dog."""

TYPED, TYPED_FACT = 3.0, 1.0
"""Points of a message, and of a fact, that has what the question asks for, such as a number or a time: see
``answer_types``. With more for facts, evidence recall on given triples falls by 0.4."""

CONTEXT = 0.7
"""Share of the similarity of what a short message continues that is added to it: "thursday now" has no word of "Which
day is yoga?", the message before it has."""

BRIEF = 0.8
"""Penalty of a short message, times the logarithm of how much shorter than LONG it is."""

CHANGED = 1.0
"""Points of a message that says that something changed, where the latest statement is asked for."""

DENIED = 1.0
"""Points of a message that denies or ends something, where a yes or no, or an end, is asked for."""

PAST = 1.5
"""Penalty of what tells how it used to be, where it is asked how it is."""

QUOTED = 2.0
"""Points of a message of the person asked about, where the question asks what this person said: a fact says what it was
about, but seldom how it was put."""

COVERED = 0.8
"""Penalty of a message when candidate facts repeat enough of it; in proportion when they repeat less."""

OUTDATED = 1.5
"""Penalty of a message whose facts are no longer true, although it says more than they do."""

BELATED = 3.0
"""Penalty of a message that was said after the time as of which is asked: it may tell of then, but mostly tells of what
has changed."""

ANSWERS = 0.5
"""Share of the relevance of a question that is added to a message that may answer it."""

ASKED = 0.7
"""Penalty of a message that is not about the person asked about, times how little it is: see ``about_asked``."""

ASKED_FACT = 1.0
"""Penalty of a fact of another speaker than the one asked about: "Where does Nora work?" asks for no other job."""

ELABORATES = 1.0
"""Penalty of an assistant's messages: questions are more often about what the user stated than about advice. Twice that
if the question is in the first person ("What is my deadline?")."""


class Signal(Protocol):
    """One term of the sum that ranks the candidates of a search.

    The score of a fact is the sum of ``fact_weight`` × score over all signals, that of a message of ``message_weight``
    × score. The built-in signals range from about -3 to 3 before weighting; see Hit for the scale of their sum.
    """

    @property
    def name(self) -> str:
        """Name the signal in the reasons of hits."""
        ...

    @property
    def fact_weight(self) -> float:
        """Return the weight for facts; 0 ignores them."""
        ...

    @property
    def message_weight(self) -> float:
        """Return the weight for messages; 0 ignores them."""
        ...

    def scores(self, candidates: CandidateSet) -> ArrayLike:
        """Return a finite number for each candidate, shape (len(candidates),): first the facts, then the messages.

        The same candidates must give the same scores, whatever was searched before.
        """
        ...


@dataclass(frozen=True, slots=True)
class BuiltInSignal:
    """A signal of mem0g: a name, two weights and the function that measures the candidates."""

    name: str
    fact_weight: float
    message_weight: float
    measure: Callable[[CandidateSet], Scores]

    def scores(self, candidates: CandidateSet) -> Scores:
        """Return what ``measure`` gives, shape (len(candidates),)."""
        return self.measure(candidates)


def _nearby(candidates: CandidateSet) -> Scores:
    """Return z-scores for facts, the relevance itself for messages."""
    first = candidates.first
    return np.concatenate([z(candidates.nearby[:first]), candidates.nearby[first:]])


def _related(candidates: CandidateSet) -> Scores:
    return np.concatenate([z(candidates.related), np.zeros(len(candidates) - candidates.first)])


def _mentions(candidates: CandidateSet) -> Scores:
    """Return points for what the question names: a date, an edge, both ends of one or a class, see ``named_edges``; and
    for being one of several things asked for.
    """
    question, facts, first = candidates.question, candidates.fact_columns, candidates.first
    points = np.zeros(len(candidates))
    points[:first] += points_for_times(candidates)
    if anchors := candidates.anchors:
        named = candidates.named
        points[:first] += NAMED_EDGE * named
        if subjects := subjects_of(question.text, question.anchors):
            as_subject, as_object = facts.subject_ids.are(subjects), facts.object_ids.are(subjects)
            points[:first] -= OF_OTHERS * (named & ~as_subject & ~as_object)
            done_to = facts.object_ids.are(subjects_of(question.text, question.anchors, doing=True))
            points[:first] -= AS_OBJECT * (named & done_to & ~as_subject)
        points[:first] += OWNED * owned_edges(question.text, anchors, facts)
        points[:first] -= INTRODUCES * introductions(
            question.text, question.terms, chain.from_iterable(each.names for each in question.anchors), anchors, facts
        )
        points[:first] += BETWEEN * edges_between(anchors, facts)
        points[:first] += IDENTITY * identities(question.text, question.anchors, facts)
        points[:first] += NAMED_CLASS * named_classes(set(question.terms), anchors, facts)
        if asks_for_several(question.text):
            points[:first] += OF_ASKED * (facts.subject_ids.are(anchors) | facts.object_ids.are(anchors))
    return points


def _of_others(candidates: CandidateSet) -> Scores:
    """Return 1 for each fact about another speaker than those asked about: see ``about.facts_of_others``."""
    scores, anchors = np.zeros(len(candidates)), {each.id for each in candidates.question.anchors}
    others = facts_of_others(
        candidates.asked, anchors, candidates.speakers, (candidates.fact_columns, candidates.facts_said)
    )
    scores[: candidates.first] = others
    return scores


def _quoted(candidates: CandidateSet) -> Scores:
    asked = candidates.asked if asks_for_words(candidates.question.text) else frozenset()
    return _of_messages(candidates, candidates.message_columns.speakers.are(asked))


def _wishes(candidates: CandidateSet) -> Scores:
    asked = asks_for_wishes(candidates.question.text)
    return _flagged(candidates, 0 if asked else WISHING)


def _flagged(candidates: CandidateSet, flag: int) -> Scores:
    """Return 1 for each message whose wording has the flag, else 0."""
    return _of_messages(candidates, candidates.wordings & flag > 0)


def _of_messages(candidates: CandidateSet, flags: ArrayLike) -> Scores:
    """Return the number of each message, and 0 for facts."""
    scores = np.zeros(len(candidates))
    scores[candidates.first :] = flags
    return scores


def _typed(candidates: CandidateSet) -> Scores:
    """Return how much each candidate has of what the question asks for; see ``typed``.

    Of a message that is repeated by its facts so much less that it gains no more than these.
    """
    scores = np.array(candidates.typed)
    scores[candidates.first :] *= 1 - (1 - TYPED_FACT / TYPED) * candidates.told
    return scores


def _changes(candidates: CandidateSet) -> Scores:
    """Return how much each message that says that something changed is about what is asked.

    0 unless the latest statement is asked for.
    """
    changing = candidates.revising & CHANGES > 0 if asks_for_latest(candidates.question.text) else 0
    return _of_messages(candidates, changing * candidates.topical[candidates.first :])


def _denies(candidates: CandidateSet) -> Scores:
    """Return how much each message that denies or ends something is about what is asked, if that may answer."""
    if not may_be_denied(candidates.question.text):
        return np.zeros(len(candidates))
    denying = (candidates.revising & ENDS > 0) | (candidates.noted("denies", denies) > 0)
    return _of_messages(candidates, denying * candidates.topical[candidates.first :])


def _past(candidates: CandidateSet) -> Scores:
    """Return 1 for each candidate that tells how it used to be, where it is asked how it is.

    Also for each fact that says that something is over, unless that may be the answer.
    """
    if not may_have_changed(candidates.question.text):
        return np.zeros(len(candidates))
    of_facts, of_messages = (noted("past", tells_of_past) for noted in (candidates.noted_of_facts, candidates.noted))
    if not may_be_denied(candidates.question.text):
        of_facts = np.maximum(of_facts, candidates.noted_of_facts("over", is_over))
    return np.concatenate([of_facts, of_messages]).astype(np.float64)


DEFAULT_SIGNALS: tuple[Signal, ...] = (
    BuiltInSignal("similarity", 1.0, 1.0, lambda each: each.similarity),
    BuiltInSignal("keywords", FACT_KEYWORDS, MESSAGE_KEYWORDS, lambda each: each.keywords[0]),
    BuiltInSignal("keywords around", FACT_KEYWORDS, MESSAGE_KEYWORDS, lambda each: each.keywords[1]),
    BuiltInSignal("nearby", 0.15, 0.3, _nearby),
    BuiltInSignal("context", 0.0, CONTEXT, lambda each: _of_messages(each, each.context)),
    BuiltInSignal("brief", 0.0, -BRIEF, lambda each: _of_messages(each, each.brevity)),
    BuiltInSignal("changes", 0.0, CHANGED, _changes),
    BuiltInSignal("denies", 0.0, DENIED, _denies),
    BuiltInSignal("past", -PAST, -PAST, _past),
    BuiltInSignal("related", 0.15, 0.0, _related),
    BuiltInSignal("mentions", 1.0, 0.0, _mentions),
    BuiltInSignal("common ground", IN_COMMON, 0.0, common_ground),
    BuiltInSignal("handicap", 0.0, -HANDICAP, lambda each: _of_messages(each, 1.0)),
    BuiltInSignal("only asks", 0.0, -ONLY_ASKS, lambda each: _flagged(each, MARKED)),
    BuiltInSignal("answer type", TYPED_FACT, TYPED, _typed),
    BuiltInSignal("quoted", 0.0, QUOTED, _quoted),
    BuiltInSignal("wishes", 0.0, -WISHES, _wishes),
    BuiltInSignal("answers", 0.0, ANSWERS, lambda each: _of_messages(each, each.answering)),
    BuiltInSignal("asked", 0.0, ASKED, lambda each: _of_messages(each, each.about)),
    BuiltInSignal("of others", -ASKED_FACT, 0.0, _of_others),
    BuiltInSignal("elaborates", 0.0, -ELABORATES, lambda each: _of_messages(each, each.elaborating)),
    BuiltInSignal("covered", 0.0, -COVERED, lambda each: _of_messages(each, each.told)),
    BuiltInSignal("outdated", 0.0, -OUTDATED, lambda each: _of_messages(each, each.outdated)),
    BuiltInSignal("belated", 0.0, -BELATED, lambda each: each.belated.astype(np.float64)),
)
"""The signals of a search, in the order in which they are added up."""
