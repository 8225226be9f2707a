"""The words of the question in the candidates of a search, and in the messages around them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from mem0g.retrieve.question.query import Question
from mem0g.retrieve.ranking.keyword_scores import EVERY, Stems, bm25, z
from mem0g.retrieve.ranking.proximity import Citations, best_nearby
from mem0g.retrieve.ranking.speaker_names import is_identifier
from mem0g.store.candidates import SearchCandidates
from mem0g.store.found_columns import Cited
from mem0g.text.languages import guess_language
from mem0g.text.stemming import restemmed, tokens

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mem0g.retrieve.ranking.proximity import Indices, Scores


class KeywordMatches:
    """How often each fact and message has each term of the question, and the messages that facts cite.

    ``numbered`` is what ``found.numbered()`` returns. Each is computed when first used, once.
    """

    def __init__(self, question: Question, found: SearchCandidates, numbered: tuple[Cited, Indices, Indices]) -> None:
        self._question, self._found = question, found
        self._cited, self._numbers, self._turn_numbers = numbered
        self._facts, self._messages = found.fact_columns, found.message_columns
        self._first = len(found.facts)
        self._language = guess_language(question.text)

    def scores(self, names: Collection[str], measured: NDArray[np.bool_]) -> tuple[Scores, Scores]:
        """Return z-scores of BM25, over facts and over messages: of the text, and of the text with the messages around.

        ``names`` are terms that do not count in messages: of the speakers whom the question is about. ``measured``,
        shape (messages,): those in which words are counted.
        """
        (counts, lengths), (around, lengths_around) = self._fact_counts, self._around(self._fact_places, self._first)
        own, own_lengths = self._own_counts
        near, near_lengths = self._around(self.message_places, len(self._numbers))
        ignored = set(restemmed(names, self._language))
        other = [term not in ignored for term in self._terms]
        return (
            np.concatenate([_scores(counts, lengths), _scores(own[:, other], own_lengths, measured)]),
            np.concatenate(
                [
                    _scores(counts + around, lengths + lengths_around),
                    _scores(near[:, other], near_lengths, measured),
                ]
            ),
        )

    def nearby(self, relevance: Scores) -> tuple[Scores, Scores]:
        """Return the best relevance of another fact, for each fact, and of another message, within four messages."""
        facts = self._best_nearby(self._fact_places, relevance[: self._first])
        return facts, self._best_nearby(self.message_places, relevance[self._first :])

    @cached_property
    def message_places(self) -> tuple[Indices, Indices]:
        """Pairs of the number of a message and its place among the turns."""
        return self._citations.placed(self._numbers)

    @cached_property
    def passages(self) -> list[int]:
        """The places of the messages that are passages."""
        return [place for place, each in enumerate(self._messages.passages) if each]

    @cached_property
    def _fact_places(self) -> tuple[Indices, Indices]:
        return self._citations.cited(self._cited)

    @cached_property
    def _terms(self) -> tuple[str, ...]:
        """The question's stems and the terms of its identifiers, each once, in its language."""
        question, language = self._question, self._language
        identifiers = (" ".join(restemmed(each.split(), language)) for each in question.identifiers)
        return tuple(dict.fromkeys((*restemmed(question.terms, language), *filter(None, identifiers))))

    @cached_property
    def _stems(self) -> tuple[Scores, Scores]:
        """How often each fact, turn and passage, in this order, has each term of the question; and its stems in all."""
        found, passages = self._found, [self._messages.passages[place] for place in self.passages]
        if found.stems and self._language == "english" and not self._identifiers:
            parts = [each.id for each in passages if each]
            return found.stems.counts(self._terms, self._facts.ids, parts)
        said: Iterable[str] = chain(found.turns.terms, (found.messages[place].terms for place in self.passages))
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
        speakers = sorted(set(self._messages.speakers.distinct().values()))
        return [f"{' '.join(tokens(each))} " for each in speakers if is_identifier(each) and tokens(each)]

    @cached_property
    def _fact_counts(self) -> tuple[Scores, Scores]:
        counts, lengths = self._stems
        return counts[: self._first], lengths[: self._first]

    @cached_property
    def _own_counts(self) -> tuple[Scores, Scores]:
        """How often each message, or its passage, has each term of the question; and the number of stems it has."""
        own, own_lengths = self._citations.own(*self.message_places, len(self._numbers))
        if self.passages:
            first = self._first + len(self._found.turns.ids)
            counts, lengths = self._stems
            own[self.passages], own_lengths[self.passages] = counts[first:], lengths[first:]
        return own, own_lengths

    @cached_property
    def _citations(self) -> Citations:
        counts, lengths = self._stems
        turns = slice(self._first, self._first + len(self._found.turns.ids))
        return Citations(self._found.turns, self._turn_numbers, counts[turns], lengths[turns])

    def _around(self, cited: tuple[Indices, Indices], candidates: int) -> tuple[Scores, Scores]:
        return self._citations.around(*cited, candidates)

    def _best_nearby(self, cited: tuple[Indices, Indices], base: Scores) -> Scores:
        citing, places = cited
        return best_nearby(base, citing, self._citations.positions(places))


def _scores(counts: Scores, lengths: Scores, measured: NDArray[np.bool_] | slice = EVERY) -> Scores:
    return z(bm25(counts, lengths, measured), measured)
