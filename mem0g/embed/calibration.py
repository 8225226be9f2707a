"""Estimates the thresholds of an embedder: the cosines at which it treats pairs of texts as all-MiniLM-L6-v2 does.

The same pairs of texts, some unlike and some nearly the same, are embedded by both. A threshold of MiniLM at a certain
quantile of MiniLM's cosines becomes the cosine at the same quantile of the other embedder's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from mem0g.embed.protocol import MINILM, Embedder, Thresholds

if TYPE_CHECKING:
    from mem0g.model import Vector

MIN_TEXTS, MAX_TEXTS = 40, 200
"""Texts of each kind: if there are fewer, the built-in ones are added; if more, an evenly spaced sample is used."""

SPREAD_FROM = 0.45
"""MiniLM's cosine of sentences with little in common: the spread is measured from it to ``Thresholds.restated``."""

OTHERS = 5
"""The number of other texts that each text is compared with."""


def _listed(text: str) -> tuple[str, ...]:
    return tuple(each.strip() for each in text.replace("\n", "|").split("|") if each.strip())


NAMES = _listed(
    """
Anna Berg | Ben | Lisbon | Oslo | New York | the gym | pottery class | Rex | her sister | Tom's brother | Acme
Northwind Traders | jazz | mountain biking | a blue bicycle | oat milk | knee surgery | the book club | Dr. Patel
Sofia Marino | a food allergy | Italian | guitar | the marathon | a promotion | her old job | Blue Lagoon
a rescue dog | watercolours | the garden | Maria | chess | Madrid | a master's degree | the library
sourdough bread | Uncle Joe | a camping trip | Stanford University | night shifts | a red car | the hospital
swimming lessons | a science fair | vegan food | Mount Fuji | two cats | the school play | a support group
"""
)
"""Names of people, places and things."""

RELATIONS = _listed(
    """
lives in | moved to | works at | works as | is married to | is dating | is friends with | is a sibling of | owns
adopted | likes | dislikes | prefers | is allergic to | plays | practises | studies | studied at | visited
plans to visit | travelled to | met | bought | sold | read | is reading | watched | cooked | started | quit | joined
left | attended | organised | won | lost | painted | wrote | repaired | teaches | learned | is afraid of | wants
was born in | is named after | takes care of | supports | volunteers at
"""
)
"""Relations, as words."""

SENTENCES = _listed(
    """
Anna lives in Oslo. | Ben moved to Lisbon in May. | Maria works as a nurse at the hospital.
Tom lost his job at Acme. | Sofia is married to Luca. | Ben adopted a rescue dog called Rex.
Anna is allergic to peanuts. | Maria plays the guitar. | Tom plans to run the marathon in autumn.
Sofia ran the marathon on Sunday. | Anna started a pottery class. | Ben no longer eats meat.
Maria's sister visited her last week. | Tom bought a blue bicycle. | Sofia speaks Italian.
Anna prefers tea to coffee. | Ben broke his leg while skiing. | Maria is reading a book about birds.
Tom has two cats. | Sofia was promoted to team leader. | Anna felt nervous before the interview.
Ben cooked dinner for his parents. | Maria dreams of opening a bakery. | Tom studied physics in Madrid.
Sofia joined a support group. | Anna sold her car. | Ben's brother is a teacher. | Maria painted a sunset.
Tom is learning to swim. | Sofia won the chess tournament. | Anna's garden is full of roses.
Ben works night shifts. | Maria moved in with her friend. | Tom quit smoking in 2022.
Sofia volunteers at the library. | Anna has a daughter named Eva. | Ben went camping by the lake. | Tom likes jazz.
Maria finished her master's degree. | Sofia is planning a trip to Japan. | Anna repaired her old radio.
"""
)
"""Sentences about people."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Texts:
    """The texts to calibrate with: names of entities, names of relations as words, and sentences of facts."""

    names: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()


def calibrate(embedder: Embedder, texts: Texts | None = None, *, reference: Embedder | None = None) -> Thresholds:
    """Return the thresholds of ``embedder``, estimated on ``texts`` and, where these are few, on built-in English ones.

    ``reference`` is MiniLM. Raises EmbedderError if one of the two cannot embed.
    """
    if reference is None:
        from mem0g.embed import open_embedder

        reference = open_embedder()
    given = texts or Texts()
    names = _sample(given.names, NAMES)
    relations = _sample(given.relations, RELATIONS)
    sentences = _sample(given.sentences, SENTENCES)
    of_names = _scale(reference, embedder, _pairs(names, _other_names))
    of_relations = _scale(reference, embedder, _pairs(relations, _other_relations))
    of_sentences = _scale(reference, embedder, _pairs(sentences, _other_sentences))
    of_questions = _scale(reference, embedder, _questions(names, sentences))
    return Thresholds(
        same_name=of_names(MINILM.same_name),
        same_relation=of_relations(MINILM.same_relation),
        same_sentence=of_sentences(MINILM.same_sentence),
        restated=of_sentences(MINILM.restated),
        touching=of_sentences(MINILM.touching),
        spread=round((of_sentences(MINILM.restated) - of_sentences(SPREAD_FROM)) / (MINILM.restated - SPREAD_FROM), 3),
        anchor=of_questions(MINILM.anchor),
        instruction=of_questions(MINILM.instruction),
        preference=of_questions(MINILM.preference),
        known=of_questions(MINILM.known),
        embedder=embedder.name,
    )


def _sample(given: Sequence[str], built_in: Sequence[str]) -> list[str]:
    texts = list(dict.fromkeys(text.strip() for text in given if text.strip()))
    if len(texts) < MIN_TEXTS:
        texts = list(dict.fromkeys((*texts, *built_in)))
    step = max(1, len(texts) / MAX_TEXTS)
    return [texts[int(place * step)] for place in range(min(len(texts), MAX_TEXTS))]


def _pairs(texts: Sequence[str], variants: Callable[[str], Sequence[str]]) -> list[tuple[str, str]]:
    """Return each text with some others, spread over the list, and with variants of itself."""
    steps = [1 + place * len(texts) // (2 * OTHERS) for place in range(OTHERS)]
    unlike = [(text, texts[(place + step) % len(texts)]) for place, text in enumerate(texts) for step in steps]
    return unlike + [(text, variant) for text in texts for variant in variants(text) if variant]


def _other_names(name: str) -> list[str]:
    return [f"the {name}", f"{name}s", f"my {name}", f"{name} and others", " ".join(name.split()[1:])]


def _other_relations(words: str) -> list[str]:
    return [
        f"{words} now",
        f"used to {words}",
        f"really {words}",
        f"{words} together with",
        " ".join(words.split()[1:]),
    ]


def _other_sentences(text: str) -> list[str]:
    words = text.split()
    return [
        f"I heard that {text}",
        f"In 2023, {text}",
        " ".join(words[:-1]),
        " ".join(words[1:]),
        " ".join(words[: len(words) // 2]),
        f"{text} It was a surprise for everybody.",
    ]


def _questions(names: Sequence[str], sentences: Sequence[str]) -> list[tuple[str, str]]:
    """Return names with sentences, and with questions about them."""
    others = [(name, sentences[(place * 7) % len(sentences)]) for place, name in enumerate(names)]
    forms = ("Where is {}?", "What do you know about {}?", "When did she first tell me about {} at work?")
    return others + [(name, form.format(name)) for name in names for form in forms]


def _scale(reference: Embedder, embedder: Embedder, pairs: Sequence[tuple[str, str]]) -> Callable[[float], float]:
    """Return the function from a cosine of ``reference`` to the cosine of ``embedder`` at the same quantile."""
    import numpy as np

    known = _cosines(reference, pairs)
    found = known if embedder is reference else _cosines(embedder, pairs)
    return lambda cosine: round(float(np.interp(cosine, known, found)), 3)


def _cosines(embedder: Embedder, pairs: Sequence[tuple[str, str]]) -> Vector:
    """Return the cosines of the pairs, rising, and 1 for two equal texts."""
    import numpy as np

    texts = list(dict.fromkeys(chain.from_iterable(pairs)))
    rows = dict(zip(texts, embedder.embed(texts), strict=True))
    cosines = sorted(float(rows[one] @ rows[other]) for one, other in pairs)
    return np.array([*cosines, 1.0])
