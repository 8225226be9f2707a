"""The candidates of one search, with what the ranking signals measure of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from mem0g.model import Fact, Message
from mem0g.retrieve.question.query import Question
from mem0g.retrieve.ranking.keyword_scores import Stems, bm25, z
from mem0g.retrieve.ranking.proximity import Citations, best_nearby, best_related
from mem0g.retrieve.ranking.said import Said, read
from mem0g.retrieve.ranking.speaker_names import Capital, is_identifier, is_named, name_terms
from mem0g.retrieve.ranking.statements import Statements
from mem0g.store.candidates import SearchCandidates
from mem0g.text.languages import FIRST_PERSON, SPEAKING, guess_language, word_set
from mem0g.text.stemming import content, restemmed, tokens

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mem0g.retrieve.ranking.proximity import Indices, Scores

FACT_KEYWORDS, MESSAGE_KEYWORDS = 0.15, 0.25
"""Weights of BM25, of the text and with the messages around."""

TOLD = 0.4
"""Share of a message's words from which on its facts count as saying all of it, in fewer words."""


class CandidateSet:
    """The candidates of one search for signals to score, with what the built-in signals measure of them.

    ``question`` is the question with the entities and dates it names. ``facts`` and ``messages`` are the candidates in
    the order of their scores, facts first; a message with passages appears once for each passage that was found;
    ``texts`` has the text of the passage. ``found`` is what the store returned, with the cosines and stems of each.
    Measures are computed when first used, each once.
    """

    def __init__(self, question: Question, found: SearchCandidates) -> None:
        self.found = found
        self.facts: tuple[Fact, ...] = tuple(each.fact for each in found.facts)
        self.messages: tuple[Message, ...] = tuple(each.message for each in found.messages)
        self.texts: tuple[str, ...] = tuple(each.text for each in found.messages)
        self.question = question

    def __len__(self) -> int:
        return len(self.facts) + len(self.messages)

    def weights(self, fact_weight: float, message_weight: float) -> Scores:
        """Return the weight of each candidate, shape (len(self),)."""
        return np.repeat([fact_weight, message_weight], [len(self.facts), len(self.messages)])

    @cached_property
    def similarity(self) -> Scores:
        """The mean z-score of the cosines with the question and with the question without its names."""
        if not self.question.understood:
            return np.zeros(len(self))
        width = len(self.question.vectors)
        unknown = (0.0,) * width
        cosines = [each.similarities for each in self.found.facts]
        cosines += [each.similarities or unknown for each in self.found.messages]
        columns = np.fromiter(chain.from_iterable(cosines), float).reshape(-1, width)
        return 0.5 * z(columns[:, 0]) + 0.5 * z(columns[:, 1])

    @cached_property
    def keywords(self) -> tuple[Scores, Scores]:
        """The z-scores of BM25, over facts and over messages: of the text, and of the text with the messages around."""
        (counts, lengths), (around, lengths_around) = self._fact_counts, self._around(self._fact_citations, self.facts)
        own, own_lengths = self._own_counts
        near, near_lengths = self._around(self._message_citations, self.messages)
        names = set(restemmed(self._asked_names, self._language))
        other = [term not in names for term in self._terms]
        return (
            np.concatenate([z(bm25(counts, lengths)), z(bm25(own[:, other], own_lengths))]),
            np.concatenate(
                [z(bm25(counts + around, lengths + lengths_around)), z(bm25(near[:, other], near_lengths))],
            ),
        )

    @cached_property
    def asked(self) -> frozenset[str]:
        """The speakers whom the question names; the only user among the speakers if it is asked in first person.

        The name of an assistant is often a word for what it does ("tutor"): it must be written with a capital.
        """
        speakers = {message.speaker: message.role for message in self.messages}
        named = {
            each
            for each, role in speakers.items()
            if is_named(each, self.question.text, capital="always" if role == "assistant" else "usual")
        }
        if not named and not FIRST_PERSON.isdisjoint(word_set(self.question.text)):
            users = {message.speaker for message in self.messages if message.role == "user"}
            named = users if len(users) == 1 else set()
        return frozenset(named)

    @cached_property
    def _asked_names(self) -> frozenset[str]:
        return frozenset().union(*map(name_terms, self.asked))

    @cached_property
    def about_asked(self) -> Scores:
        """How little each message is about the speakers asked about, shape (messages,).

        0 where they say "I", or somebody else names them; -0.5 where they only say "my", which may be about another
        person; -1 where nothing indicates it; -2 where another speaker says "I".
        """
        scores = np.zeros(len(self.messages))
        for place, message in enumerate(self.messages if self.asked else ()):
            capital: Capital = "usual" if message.role == "assistant" else "any"
            said = word_set(self.texts[place])
            if message.speaker in self.asked:
                scores[place] = 0.0 if said & SPEAKING else -0.5 if said & FIRST_PERSON else -1.0
            elif not any(is_named(each, self.texts[place], capital=capital) for each in self.asked):
                scores[place] = -2.0 if said & SPEAKING else -1.0
        return scores

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
        messages = self._best_nearby(self._message_citations, self.relevance[len(self.facts) :])
        messages[self._parts_of_answers] = 0
        return np.concatenate(
            [self._best_nearby(self._fact_citations, self.relevance[: len(self.facts)]), messages],
        )

    @cached_property
    def related(self) -> Scores:
        """The best relevance of another fact with the same entity, shape (facts,); 0 where there is none.

        Values do not count: a fact with a value has only its subject.
        """
        subjects = [each.subject_id for each in self.facts]
        objects = [each.subject_id if each.object_is_literal else each.object_id for each in self.facts]
        return best_related(self.relevance[: len(self.facts)], subjects, objects)

    @cached_property
    def telling(self) -> NDArray[np.bool_]:
        """Which messages state something, shape (messages,)."""
        return np.array(self._statements.stating(self.question.text), dtype=bool)

    @cached_property
    def answering(self) -> Scores:
        """The relevance of the question that each message may answer, shape (messages,); 0 where there is none.

        0 for passages of an assistant, too: the question would lift all parts of the answer alike.
        """
        relevance = self.relevance[len(self.facts) :]
        scores = np.zeros(len(self.messages))
        for place, asking in self._statements.answered.items():
            scores[place] = max(relevance[asking], 0)
        scores[self._parts_of_answers] = 0
        return scores

    @cached_property
    def elaborating(self) -> Scores:
        """1 for the messages of an assistant, 2 if the question is in the first person, else 0; shape (messages,)."""
        weight = 1.0 if FIRST_PERSON.isdisjoint(word_set(self.question.text)) else 2.0
        return weight * np.array([message.role == "assistant" for message in self.messages], dtype=np.float64)

    @cached_property
    def _parts_of_answers(self) -> list[int]:
        """The places of the passages of an assistant."""
        return [place for place in self._passages if self.messages[place].role == "assistant"]

    @cached_property
    def told(self) -> Scores:
        """Share of each message that its facts repeat, shape (messages,): 1 from TOLD of its words on, 0 for a
        passage."""
        shares, texts = np.zeros(len(self.messages)), [fact.text for fact in self.facts]
        for place, each in enumerate(self.found.messages):
            if each.passage is None and (stating := self.citing.get(each.message.id)):
                repeating = tuple([texts[number] for number in stating])
                shares[place] = _repeated(each.message.text, each.message.speaker, repeating)
        return shares

    @cached_property
    def citing(self) -> dict[str, list[int]]:
        """The numbers of the facts that cite each message, by its id."""
        found: dict[str, list[int]] = {}
        for number, fact in enumerate(self.facts):
            for each in fact.evidence:
                found.setdefault(each, []).append(number)
        return found

    def said(self, places: Iterable[int]) -> list[Said]:
        """Return what the messages at ``places`` say, each together with the question it follows, then every fact."""
        asking = {place: self.texts[before] for place, before in self._statements.follows.items()}
        messages = [read(self.texts[place], self.messages[place].speaker, asking.get(place, "")) for place in places]
        speakers = self._speakers
        return messages + [read(fact.text, fact.subject, "", fact.subject in speakers) for fact in self.facts]

    @cached_property
    def _speakers(self) -> frozenset[str]:
        return frozenset(message.speaker for message in self.messages)

    @cached_property
    def _statements(self) -> Statements:
        return Statements(self.found.messages, self.found.turns)

    @cached_property
    def _stems(self) -> tuple[Scores, Scores]:
        """How often each fact, turn and passage, in this order, has each term of the question; and its stems in all."""
        found, passages = self.found, [self.found.messages[place] for place in self._passages]
        if found.stems and self._language == "english" and not self._identifiers:
            return found.stems.counts(self._terms, [each.id for each in self.facts], [each.id for each in passages])
        said: Iterable[str] = chain(found.turns.terms, (each.terms for each in passages))
        if self._identifiers:
            said = map(self._without_identifier, said)
        texts = [*(each.terms for each in found.facts), *said]
        if self._language != "english":
            texts = [" ".join(restemmed(text.split(), self._language)) for text in texts]
        stems = Stems(texts)
        return stems.counts(self._terms), stems.lengths

    def _without_identifier(self, stems: str) -> str:
        """Return the stems of a message without the speaker before them if that is an identifier, such as "user 12"."""
        return next((stems.removeprefix(each) for each in self._identifiers if stems.startswith(each)), stems)

    @cached_property
    def _identifiers(self) -> list[str]:
        return [f"{' '.join(tokens(each))} " for each in sorted(self._speakers) if is_identifier(each) and tokens(each)]

    @cached_property
    def _terms(self) -> tuple[str, ...]:
        """The question's stems and the terms of its identifiers, each once, in its language."""
        question, language = self.question, self._language
        identifiers = (" ".join(restemmed(each.split(), language)) for each in question.identifiers)
        return tuple(dict.fromkeys((*restemmed(question.terms, language), *filter(None, identifiers))))

    @cached_property
    def _language(self) -> str:
        return guess_language(self.question.text)

    @cached_property
    def _fact_counts(self) -> tuple[Scores, Scores]:
        counts, lengths = self._stems
        return counts[: len(self.facts)], lengths[: len(self.facts)]

    @cached_property
    def _passages(self) -> list[int]:
        """The places of the messages that are passages."""
        return [place for place, each in enumerate(self.found.messages) if each.passage]

    @cached_property
    def _own_counts(self) -> tuple[Scores, Scores]:
        """How often each message, or its passage, has each term of the question; and the number of stems it has."""
        own, own_lengths = self._citations.own(*self._message_citations, len(self.messages))
        if self._passages:
            first = len(self.facts) + len(self.found.turns.ids)
            counts, lengths = self._stems
            own[self._passages], own_lengths[self._passages] = counts[first:], lengths[first:]
        return own, own_lengths

    @cached_property
    def _citations(self) -> Citations:
        counts, lengths = self._stems
        turns = slice(len(self.facts), len(self.facts) + len(self.found.turns.ids))
        return Citations(self.found.turns, counts[turns], lengths[turns])

    @cached_property
    def _fact_citations(self) -> tuple[Indices, Indices]:
        return self._citations.cited([each.evidence for each in self.facts])

    @cached_property
    def _message_citations(self) -> tuple[Indices, Indices]:
        return self._citations.cited([(each.id,) for each in self.messages])

    def _around(self, cited: tuple[Indices, Indices], candidates: Sequence[object]) -> tuple[Scores, Scores]:
        return self._citations.around(*cited, len(candidates))

    def _best_nearby(self, cited: tuple[Indices, Indices], base: Scores) -> Scores:
        citing, places = cited
        return best_nearby(base, citing, self._citations.positions(places))


@lru_cache(maxsize=16384)
def _repeated(text: str, speaker: str, facts: tuple[str, ...]) -> float:
    """Return the share of what a speaker said that the texts of facts repeat; see ``CandidateSet.told``."""
    words = content(text) - content(speaker)
    said = len(words) - len(words.difference(*map(content, facts)))
    return min(said / max(TOLD * len(words), 1e-9), 1.0)
