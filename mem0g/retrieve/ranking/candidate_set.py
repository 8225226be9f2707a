"""The candidates of one search, with what the ranking signals measure of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from mem0g.model import LITERAL, Fact, Message, Role
from mem0g.retrieve.question.kinds import asks_about_user
from mem0g.retrieve.question.query import Question
from mem0g.retrieve.ranking.about import NOBODY, about_asked, speakers_asked
from mem0g.retrieve.ranking.answer_types import FULLY, answer_type, degree, typed
from mem0g.retrieve.ranking.keyword_matches import KeywordMatches
from mem0g.retrieve.ranking.keyword_scores import z
from mem0g.retrieve.ranking.named_edges import named_edges, paraphrased
from mem0g.retrieve.ranking.proximity import best_related, places_in
from mem0g.retrieve.ranking.said import Said, current_readings
from mem0g.retrieve.ranking.speaker_names import name_terms
from mem0g.retrieve.ranking.statements import Statements
from mem0g.retrieve.ranking.told import as_similar, as_typed, repeated
from mem0g.store.candidates import UNKNOWN, FactColumns, MessageColumns, SearchCandidates, microseconds
from mem0g.store.found_columns import Names, Notes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mem0g.retrieve.ranking.proximity import Indices, Scores

FACT_KEYWORDS, MESSAGE_KEYWORDS = 0.15, 0.25
"""Weights of BM25, of the text and with the messages around."""

CONTINUED = (1.0, 0.7, 0.5)
"""Share of the similarity of the message before that a message inherits, of that of the one before it, and so on."""

WHOLE, LONG = 30, 12
"""Words from which on a message inherits nothing, and from which on it is not short."""

UNTYPED, UNTYPED_CONTEXT = 0.3, 0.5
"""Share of what the question that a message may answer, and of what those that it continues, count for one that lacks
what is asked for: "yes but not now" answers no "How old is Liv?", whatever it follows."""

OFTEN_LACKED = ("reason",)
"""What a message may answer with and not show to have: reasons are mostly given without "because"."""

OF_ANOTHER = 0.5
"""The same for what the person asked about says of others only: then the question before was about them, too."""

CARRIED = 0.5
"""Share of the similarity of what a short message continues that counts for what it is about."""


class CandidateSet:
    """The candidates of one search for signals to score, with what the built-in signals measure of them.

    ``question`` is the question with the entities and dates it names. ``facts`` and ``messages`` are the candidates in
    the order of their scores, facts first; a message with passages appears once for each passage that was found;
    ``texts`` has the text of the passage. ``found`` is what the store returned, with the cosines and stems of each.
    Measures are computed when first used, each once.
    """

    def __init__(self, question: Question, found: SearchCandidates) -> None:
        self.found = found
        self.fact_columns, self.message_columns = found.fact_columns, found.message_columns
        self.first = len(found.facts)
        self.question = question
        self._readings = current_readings()
        self._cited, self._numbers, turns = found.numbered()
        self._matches = KeywordMatches(question, found, (self._cited, self._numbers, turns))

    def __len__(self) -> int:
        return len(self.found.facts) + len(self.found.messages)

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        """The candidate facts."""
        return tuple(each.fact for each in self.found.facts)

    @cached_property
    def messages(self) -> tuple[Message, ...]:
        """The candidate messages."""
        return tuple(each.message for each in self.found.messages)

    @property
    def texts(self) -> Sequence[str]:
        """The texts of the messages and passages."""
        return self.message_columns.texts

    def noted(self, name: str, find: Callable[[str], int]) -> Indices:
        """Return what ``find`` finds in each message by its text alone, shape (messages,); kept under its ``name``."""
        return self._messages_said.noted(name, find)

    def noted_of_facts(self, name: str, find: Callable[[str], int]) -> Indices:
        """Return what ``find`` finds in the text of each fact, shape (facts,); kept under its ``name``."""
        return self.facts_said.noted(name, find)

    def having_names(self, no_names: Iterable[str], names: Iterable[str]) -> NDArray[np.bool_]:
        """Return which candidates have a name, shape (len(self),): see ``NameWords``."""
        words = self._readings.names
        texts = [each.noted_at_once("words", words.add) for each in (self.facts_said, self._messages_said)]
        return words.having_names(np.concatenate(texts), no_names, names)

    def weights(self, fact_weight: float, message_weight: float) -> Scores:
        """Return the weight of each candidate, shape (len(self),)."""
        return np.repeat([fact_weight, message_weight], [self.first, len(self) - self.first])

    @cached_property
    def similarity(self) -> Scores:
        """The mean z-score of the cosines with the question and with the question without its names.

        Mean and spread are those of the facts and of what states something: that something was asked before, and how
        often, changes no score.
        """
        if not self.question.understood:
            return np.zeros(len(self))
        width = len(self.question.vectors)
        given = (self.fact_columns.similarities, self.message_columns.similarities)
        parts = [each if each.shape[1] == width else np.zeros((len(each), width)) for each in given]
        columns = np.concatenate(parts)
        measured = np.concatenate([np.ones(self.first, dtype=bool), self._measured])
        return 0.5 * z(columns[:, 0], measured) + 0.5 * z(columns[:, 1], measured)

    @cached_property
    def asked(self) -> frozenset[str]:
        """The speakers whom the question is about: see ``about.speakers_asked``."""
        return speakers_asked(self.question.text, self.message_columns)

    @cached_property
    def _asked_names(self) -> frozenset[str]:
        return frozenset().union(*map(name_terms, self.asked))

    @cached_property
    def keywords(self) -> tuple[Scores, Scores]:
        """The z-scores of BM25, over facts and over messages: of the text, and of the text with the messages around."""
        return self._matches.scores(self._asked_names, self._measured)

    @cached_property
    def relevance(self) -> Scores:
        """The weighted sum of similarity and keywords (s0), by which neighbours raise each other."""
        own, around = self.keywords
        weights = self.weights(FACT_KEYWORDS, MESSAGE_KEYWORDS)
        return self.similarity + weights * own + weights * around

    @cached_property
    def nearby(self) -> Scores:
        """The best relevance of another fact (of another message) within four messages; 0 where there is none.

        0 for passages of an assistant, too: all parts of an answer are near each other and near the question.
        """
        facts, messages = self._matches.nearby(self.relevance)
        messages[self._parts_of_answers] = 0
        return np.concatenate([facts, messages])

    @cached_property
    def related(self) -> Scores:
        """The best relevance of another fact with the same entity, shape (facts,); 0 where there is none.

        Values do not count: a fact with a value has only its subject.
        """
        facts = self.fact_columns
        subjects, objects = facts.subject_ids.codes, facts.object_ids.codes
        ends = np.where(facts.object_types.are((LITERAL,)), subjects, objects)
        return best_related(self.relevance[: self.first], subjects, ends)

    @cached_property
    def telling(self) -> NDArray[np.bool_]:
        """Which messages state something, shape (messages,)."""
        return self._statements.stating(self.has_role("tool"))

    @cached_property
    def eligible(self) -> NDArray[np.bool_]:
        """Which candidates state something, shape (len(self),): every fact, and the messages of ``telling``."""
        return np.concatenate([np.ones(self.first, bool), self.telling])

    @cached_property
    def _measured(self) -> NDArray[np.bool_]:
        """The messages over which means, spreads and word counts are taken, shape (messages,).

        Those of ``telling``; all messages if fewer than two of them state something.
        """
        return self.telling if np.count_nonzero(self.telling) > 1 else np.ones(len(self.telling), dtype=bool)

    @cached_property
    def answering(self) -> Scores:
        """The relevance of the question that each message may answer, shape (messages,); 0 where there is none.

        0 for passages of an assistant, too: the question would lift all parts of the answer alike.
        """
        answered = self._statements.answered
        scores: Scores = np.where(answered >= 0, np.maximum(self.relevance[self.first :][answered], 0), 0.0)
        scores[self._parts_of_answers] = 0
        scores[self._lacking] *= UNTYPED
        scores[self.about == NOBODY] *= OF_ANOTHER
        return scores

    @cached_property
    def about(self) -> Scores:
        """How little each message is about the speakers asked about, shape (messages,): see ``about.about_asked``."""
        return about_asked(self.asked, self.message_columns, self._messages_said)

    @cached_property
    def belated(self) -> NDArray[np.bool_]:
        """Which candidates were said after the time as of which is asked, shape (len(self),)."""
        if self.question.as_of is None:
            return np.zeros(len(self), dtype=bool)
        times = np.concatenate([self.fact_columns.said_at, self.message_columns.times])
        belated: NDArray[np.bool_] = (times != UNKNOWN) & (times > microseconds([self.question.as_of]))
        return belated

    @cached_property
    def anchors(self) -> frozenset[str]:
        """The ids of the entities that the question names, and of the speakers whom it is about."""
        ids = {each.id for each in self.question.anchors}
        if self.asked:
            subjects = self.fact_columns.subject_ids
            theirs = np.flatnonzero(self.fact_columns.subjects.are(self.asked))
            ids.update(subjects.names[code] for code in set(subjects.codes[theirs].tolist()))
        return frozenset(ids)

    @cached_property
    def named(self) -> NDArray[np.bool_]:
        """Which facts the question names by an end and their relation, shape (facts,): see ``named_edges``."""
        terms = paraphrased(self.question.text).union(self.question.terms)
        return named_edges(terms, self.anchors, self.fact_columns)

    @cached_property
    def typed(self) -> Scores:
        """How much each candidate has of what the question asks for; see ``answer_types.typed``."""
        return typed(self)

    @cached_property
    def _lacking(self) -> NDArray[np.bool_]:
        """Which messages lack what the question asks for, shape (messages,)."""
        if answer_type(self.question.text) in (None, *OFTEN_LACKED):
            return np.zeros(len(self) - self.first, dtype=bool)
        lacking: NDArray[np.bool_] = self.typed[self.first :] <= 0
        return lacking

    @cached_property
    def topical(self) -> Scores:
        """How much each candidate is about what is asked, 0 to 1, shape (len(self),).

        By its similarity to the question, and by that of what it continues or answers.
        """
        about = np.array(self.similarity)
        said = about[self.first :] + CARRIED * np.maximum(self.context, 0)
        about[self.first :] = np.maximum(said, self.answering)
        topical: Scores = np.clip(about, 0, 1)
        return topical

    @cached_property
    def context(self) -> Scores:
        """How similar to the question what each short message continues is, at least 0, shape (messages,).

        That is the question it may answer, or one of the three messages before it, farther ones counting less. It
        counts in full for a message of few words, which says little by itself, and not at all for one of WHOLE words
        or a passage.
        """
        similarity, statements = self.similarity[self.first :], self._statements
        found: Scores = np.where(statements.answered >= 0, similarity[statements.answered], 0.0)
        for back, share in enumerate(CONTINUED, start=1):
            before = statements.before(back)
            found = np.maximum(found, np.where(before >= 0, share * similarity[before], 0.0))
        found[self._matches.passages] = 0
        found *= np.where(self._lacking, UNTYPED_CONTEXT, 1.0)
        found *= np.clip(np.log((1 + WHOLE) / (1 + statements.wordings.sizes)), 0, 1)
        return found

    @cached_property
    def brevity(self) -> Scores:
        """How short each message is, shape (messages,): 0 from LONG words on, below it the logarithm of the ratio."""
        scores: Scores = np.log((1 + LONG) / (1 + np.minimum(self._statements.wordings.sizes, LONG)))
        return scores

    @property
    def revising(self) -> NDArray[np.uint8]:
        """What each message says to be other than it was, CHANGES and ENDS added up, shape (messages,)."""
        return self._messages_said.revising

    def before(self, back: int) -> Indices:
        """Return the place of the message ``back`` positions before each in its session, -1 if it is not there."""
        return self._statements.before(back)

    @cached_property
    def elaborating(self) -> Scores:
        """1 for the messages of an assistant, 2 if the question is in the first person, else 0; shape (messages,)."""
        weight = 2.0 if asks_about_user(self.question.text) else 1.0
        elaborating: Scores = np.where(self.has_role("assistant"), weight, 0.0)
        return elaborating

    def has_role(self, role: Role) -> NDArray[np.bool_]:
        """Return which messages are by somebody in this role, shape (messages,)."""
        return self.message_columns.roles.are((role,))

    @cached_property
    def _parts_of_answers(self) -> list[int]:
        """The places of the passages of an assistant."""
        return [place for place in self._matches.passages if self.message_columns.roles[place] == "assistant"]

    @cached_property
    def told(self) -> Scores:
        """Share of each message that its facts repeat, shape (messages,): 1 from TOLD of its words on, 0 for a passage.

        Less for one that has more of what the question asks for than any of its facts: "took it in the end. 1900"; and
        for one that is more similar to the question than all of them.
        """
        facts, messages = slice(self.first), slice(self.first, None)
        shares = repeated(self._messages_said, self.facts_said, self.citing, len(self.message_columns.ids))
        shares[self._matches.passages] = 0
        shares *= as_typed(self.typed[messages], self._typed_in_words, self.citing)
        shares *= as_similar(self.similarity[messages], self.similarity[facts], self.citing)
        return shares

    @property
    def _typed_in_words(self) -> Scores:
        """The same as ``typed`` of each fact by its text: the time when it was said is none in it, shape (facts,)."""
        if answer_type(self.question.text) != "time":
            return self.typed[: self.first]
        return self.noted_of_facts("time", partial(degree, "time")) / FULLY

    @cached_property
    def citing(self) -> tuple[Indices, Indices]:
        """Pairs of the number of a fact and the place of a message that it cites; of passages the first one's."""
        facts = np.repeat(np.arange(self.first), self._cited.counts)
        order = np.argsort(self._numbers, kind="stable")
        there, at = places_in(self._numbers[order], self._cited.numbers)
        return facts[there], order[at]

    @cached_property
    def outdated(self) -> Scores:
        """1 for each whole message of which no fact is true any more, else 0; shape (messages,)."""
        columns = self.message_columns
        both = zip(columns.outdated, columns.passages, strict=True)
        return np.array([bool(outdated) and passage is None for outdated, passage in both], dtype=np.float64)

    def stating(self, place: int) -> Indices:
        """Return the numbers of the facts that cite the message at a place; of a passage those of its message."""
        facts, cited = self.citing
        found: Indices = facts[cited == np.argmax(self._numbers == self._numbers[place])]
        return found

    def said(self, places: Indices) -> Said:
        """Return what the messages at ``places`` say, each together with the question it follows, then every fact."""
        numbers, follows = self._messages_said.numbers[places], self._statements.follows[places]
        texts, speakers = self.message_columns.texts, self.message_columns.speakers
        after = np.flatnonzero(follows >= 0)
        both = zip(places[after].tolist(), follows[after].tolist(), strict=True)
        chosen = [(texts[place], speakers[place], texts[question]) for place, question in both]
        numbers[after] = self._readings.numbers_of(chosen)
        return self._readings.said(numbers).followed_by(self.facts_said)

    @cached_property
    def speakers(self) -> frozenset[str]:
        """Who said the messages."""
        return frozenset(self.message_columns.speakers.distinct().values())

    @cached_property
    def facts_said(self) -> Said:
        """What the facts say."""
        return self._said(self.fact_columns, self.fact_columns.subjects)

    @cached_property
    def _messages_said(self) -> Said:
        return self._said(self.message_columns, self.message_columns.speakers)

    def _said(self, columns: FactColumns | MessageColumns, speakers: Names) -> Said:
        def read(places: Iterable[int]) -> list[int]:
            return self._readings.numbers_of([(columns.texts[at], speakers[at], "") for at in places])

        notes = columns.notes or Notes().at(np.arange(len(columns.ids)))
        return self._readings.said(notes.get("reading", read, self._readings.version))

    @cached_property
    def wordings(self) -> NDArray[np.int32]:
        """The flags of the messages' wordings, shape (messages,)."""
        return self._statements.wordings.flags

    @cached_property
    def _statements(self) -> Statements:
        citing, places = self._matches.message_places
        turns, size = self.found.turns, len(self.message_columns.ids)
        sessions, positions = np.full(size, -1), np.zeros(size, dtype=np.int64)
        sessions[citing] = np.asarray(turns.sessions)[places]
        positions[citing] = np.asarray(turns.positions)[places]
        wordings = self._readings.wordings(self._messages_said, self.question.text)
        columns = self.message_columns
        return Statements(wordings, columns.speakers.codes, sessions, positions, columns.times)
