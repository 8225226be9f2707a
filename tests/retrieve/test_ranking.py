"""Candidates to a ranking."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mem0g.errors import InputError
from mem0g.model import Entity, Fact, Hit, Message
from mem0g.retrieve.question.query import Question
from mem0g.retrieve.question.temporal_intent import named_dates
from mem0g.retrieve.ranking.candidate_set import CandidateSet
from mem0g.retrieve.ranking.keyword_scores import z
from mem0g.retrieve.ranking.ranking import ALWAYS, FLOOR, rank
from mem0g.retrieve.ranking.signals import DEFAULT_SIGNALS, HANDICAP, Signal
from mem0g.store.candidates import FactCandidate, MessageCandidate, SearchCandidates, Turns
from mem0g.text.stemming import tokens
from mem0g.times import Moment
from tests.making import entity, fact, message, turns, vector

ANN, BOB, OSLO, TEA, CHESS = (entity(name) for name in ("Ann", "Bob", "Oslo", "tea", "chess"))
SCORES = st.lists(st.floats(-100, 100), min_size=1, max_size=20).map(np.array)


def question(text: str) -> Question:
    """A question that names nobody the store knows."""
    return Question(text, (), tuple(tokens(text)), named_dates(text), (vector(text), vector(text)))


def found_fact(made: Fact, asked: str = "", **given: Any) -> FactCandidate:
    """A fact as a store finds it for a question."""
    cosine = float(vector(made.text) @ vector(asked))
    return FactCandidate(made, **{"similarities": (cosine, cosine), "terms": " ".join(tokens(made.text)), **given})


def found_message(said: Message, asked: str = "", **given: Any) -> MessageCandidate:
    """A message as a store finds it for a question."""
    cosine = float(vector(said.text) @ vector(asked))
    return MessageCandidate(said, **{"similarities": (cosine, cosine), "terms": " ".join(tokens(said.text)), **given})


def ranked(
    asked: str,
    facts: Sequence[FactCandidate] = (),
    messages: Sequence[MessageCandidate] = (),
    around: Turns = turns(),  # noqa: B008 - it is frozen
) -> tuple[Hit, ...]:
    """The ranking of candidates for a question, explained."""
    found = SearchCandidates(
        facts=tuple(sorted(facts, key=lambda each: each.fact.id)),
        messages=tuple(sorted(messages, key=lambda each: each.message.id)),
        turns=around,
    )
    ranking = rank(question(asked), found)
    return ranking.explained(ranking.hits)


def reasons(hit: Hit) -> dict[str, str]:
    """Details by channel."""
    return {each.channel: each.detail for each in hit.reasons}


def scores(hits: Sequence[Hit]) -> dict[str, float]:
    """Scores by id."""
    return {found.id: hit.score for hit in hits for found in (hit.fact, hit.message) if found}


@given(SCORES)
def test_z_scores(given_scores: Any) -> None:
    """Mean 0 and spread 1, in the order of the scores; all 0 where the scores do not differ."""
    made = z(given_scores)
    assert abs(made.mean()) < 1e-6
    if given_scores.std() < 1e-12:
        assert not made.any()
    else:
        assert made.std() == pytest.approx(1)
        assert (np.diff(made[np.argsort(given_scores)]) >= 0).all()


def test_what_was_asked_comes_first() -> None:
    """The fact with the words and the meaning of the question wins."""
    asked = "What does Ann like to drink?"
    facts = [
        found_fact(fact(ANN, "LIKES", TEA, "Ann likes to drink tea."), asked),
        found_fact(fact(ANN, "LIVES_IN", OSLO), asked),
        found_fact(fact(BOB, "PLAYS", CHESS), asked),
    ]
    assert ranked(asked, facts)[0].text == "Ann likes to drink tea."


def test_nothing_found() -> None:
    """No candidates, no hits."""
    assert ranked("anything") == ()


def test_a_single_candidate() -> None:
    """One fact alone, or one message, is a hit with a finite score."""
    assert ranked("tea", [found_fact(fact(ANN, "LIKES", TEA))])[0].score == 0
    said = "Ann drinks the green tea from the blue pot at noon by the lake"
    assert ranked("tea", [], [found_message(message(said))])[0].score == -HANDICAP


def test_a_matching_date_wins() -> None:
    """Of facts alike, that of the day asked for is far ahead, then that of the month."""
    asked = "Where did Ann go on 7 May 2023?"
    facts = [
        found_fact(fact(ANN, "VISITED", entity(f"place {n}"), f"Ann went to place {n}.", valid_from=when), asked)
        for n, when in enumerate([None, *map(Moment.parse, ("2022-05-07", "2023-05", "2023-05-07", "2023-06-07"))])
    ]
    found = ranked(asked, facts)
    assert [str(hit.fact.valid_from) for hit in found[:2] if hit.fact] == ["2023-05-07", "2023-05"]
    assert found[0].score > found[2].score + 1


def test_the_day_of_a_plan_counts_as_its_date() -> None:
    """A question that names a day finds the plan for it, and the state observed on it, before others."""
    asked = "Where did Ann go on 7 May 2023?"
    day_, other = Moment.parse("2023-05-07"), Moment.parse("2021-02-03")
    days: list[dict[str, Any]] = [{"planned_for": day_}, {"observed": day_}, {"planned_for": other}, {}]
    facts = [
        found_fact(fact(ANN, "VISITED", entity(f"place {n}"), f"Ann went to place {n}.", **given), asked)
        for n, given in enumerate(days)
    ]
    found = ranked(asked, facts)
    assert {hit.fact.object for hit in found[:2] if hit.fact} == {"place 0", "place 1"}


def test_the_day_on_which_it_was_said_counts_less_than_its_date() -> None:
    """Of facts alike, that of the day asked for comes first, then one without a date that was said on that day."""
    asked = "What did Ann show on 7 May 2023?"
    then, later = datetime(2023, 5, 7, 12, tzinfo=UTC), datetime(2023, 6, 7, 12, tzinfo=UTC)
    days: list[dict[str, Any]] = [
        {"said_at": later},
        {"said_at": then},
        {"said_at": later, "valid_from": Moment.parse("2023-05-07")},
        {"said_at": then, "valid_from": Moment.parse("2021-02-03")},
    ]
    facts = [
        found_fact(fact(ANN, "SHOWED", entity(f"thing {n}"), f"Ann showed thing {n}.", **given), asked)
        for n, given in enumerate(days)
    ]
    found = ranked(asked, facts)
    assert [hit.fact.object for hit in found[:2] if hit.fact] == ["thing 2", "thing 1"]
    assert found[1].score > found[2].score + 0.5


def test_a_word_in_the_turn_around_counts() -> None:
    """A fact whose evidence stands beside a turn with the word asked for is above one without."""
    asked = "What happened in the lighthouse?"
    said = [message("They kissed.", 1), message("Nothing.", 1, session="2")]
    beside = message("In the lighthouse!", 0)
    around = turns(beside, *said)
    facts = [
        found_fact(fact(entity(f"one {n}"), "R", entity(f"other {n}"), evidence=(each.id,)), similarities=(0.0, 0.0))
        for n, each in enumerate(said)
    ]
    facts += [found_fact(fact(BOB, "LIKES", entity(f"thing {n}")), similarities=(0.0, 0.0)) for n in range(4)]
    assert ranked(asked, facts, around=around)[0].fact == facts[0].fact


def test_a_neighbour_lifts() -> None:
    """Told within four turns of the best fact, a fact is above its equal elsewhere, and says so."""
    asked = "What does Ann drink?"
    said = [message("a", 0), message("b", 3), message("c", 0, session="2")]
    best = found_fact(fact(ANN, "DRINKS", TEA, evidence=(said[0].id,)), asked)
    near, far = (
        found_fact(fact(entity(person), "SINGS", entity(song), "Somebody sings.", evidence=(each.id,)), asked)
        for person, song, each in (("Cho", "x", said[1]), ("Dev", "y", said[2]))
    )
    hits = {hit.fact: hit for hit in ranked(asked, [best, near, far], around=turns(*said))}
    assert hits[near.fact].score > hits[far.fact].score
    assert "nearby" in reasons(hits[near.fact])
    assert "nearby" not in reasons(hits[far.fact])


def test_reasons_say_how_it_was_found() -> None:
    """The path from the anchor, the cosine and the words shared, each with its score."""
    asked = "Who sells the tea that Ann likes?"
    path = ("Ann", "LIKES", "tea", "SOLD_BY", "shop")
    made = fact(TEA, "SOLD_BY", entity("shop"), "Tea is sold by the shop.")
    (hit,) = ranked(asked, [found_fact(made, similarities=(0.25, 0.5), path=path)])
    assert reasons(hit) == {
        "anchor": "Ann → LIKES → tea → SOLD_BY → shop",
        "similarity": "cosine 0.50",
        "keywords": "tea",
    }
    assert {each.channel: each.score for each in hit.reasons} == {
        "anchor": 0.5,
        "similarity": 0.5,
        "keywords": pytest.approx(1 / len(set(tokens(asked)))),
    }


def test_an_alias_is_no_path() -> None:
    """A fact that leads from an entity back to it is found by the entity's name."""
    alias = fact(TEA, "ALSO_KNOWN_AS", TEA, "Tea is also called cha.")
    (hit,) = ranked("tea", [found_fact(alias, path=("tea", "ALSO_KNOWN_AS", "tea"))])
    assert reasons(hit)["anchor"] == "tea"


def test_a_message_without_a_vector() -> None:
    """It is ranked by its words and claims no similarity."""
    found = [
        found_message(message("Tea!", 0), similarities=None),
        found_message(message("Rain.", 1), similarities=None),
        found_message(message("Snow.", 2), similarities=None),
    ]
    hits = ranked("tea", [], found, turns(*(each.message for each in found)))
    assert hits[0].text == "Tea!"
    assert reasons(hits[0]) == {"keywords": "tea"}
    assert hits[1].reasons == ()


def test_facts_and_messages_are_on_one_scale() -> None:
    """A fact goes before a turn that says as much; a turn that alone has the answer before facts that have none."""
    fits, fits_not = (0.9, 0.9), (0.1, 0.1)
    texts = ["Ann likes green tea.", "It rains.", "Bob plays chess.", "Cho climbs rocks.", "Dev sings."]
    cosines = [fits, *[fits_not] * 4]
    ends = [(entity(f"subject {n}"), entity(f"object {n}")) for n in range(5)]
    facts = [
        found_fact(fact(subject, "R", obj, text), similarities=near)
        for (subject, obj), text, near in zip(ends, texts, cosines, strict=True)
    ]
    messages = [
        found_message(message(text, place), similarities=near)
        for place, (text, near) in enumerate(zip(texts, cosines, strict=True))
    ]
    around = turns(*(each.message for each in messages))
    best = ranked("green tea", facts, messages, around)[:2]
    assert [hit.fact or hit.message for hit in best] == [facts[0].fact, messages[0].message]
    assert ranked("green tea", facts[1:], messages, around)[0].message == messages[0].message


def test_a_question_for_what_somebody_said_finds_their_message() -> None:
    """The message of the person comes before a fact that is as near, and before what another wrote."""
    near = (0.8, 0.8)
    told = found_fact(fact(ANN, "LIKES", entity("boat"), "Ann likes the boat."), similarities=near)
    said = [
        found_message(message("I call the boat a dream on the water.", place, speaker=speaker), similarities=near)
        for place, speaker in enumerate(("Ann", "Bob"))
    ]
    around = turns(*(each.message for each in said))
    assert ranked("How did Ann describe the boat?", [told], said, around)[0].message == said[0].message
    assert ranked("Why did Ann buy the boat?", [told], said, around)[0].fact == told.fact


@pytest.mark.parametrize(("asked", "stated"), [("What did the cello cost?", False), ("Did Ann buy the cello?", True)])
def test_a_message_has_more_of_what_is_asked_for_than_its_fact(asked: str, stated: bool) -> None:
    """The message that has the price comes before the fact from it, which has none; else the fact comes first."""
    said = message("I bought the cello in the end. 1900")
    told = fact(ANN, "BOUGHT", entity("cello"), "Ann bought the cello in the end.", evidence=(said.id,))
    hits = ranked(asked, [found_fact(told, asked)], [found_message(said, asked)], turns(said))
    assert (hits[0].fact == told) == stated


@pytest.mark.parametrize(
    ("asked", "told"), [("When does Ann begin in Aberdeen?", 0.0), ("What did Ann get in Aberdeen?", 1.0)]
)
def test_a_fact_lacks_the_date_that_its_message_has(asked: str, told: float) -> None:
    """When the fact was said is a time, but not the one that is asked for."""
    said = message("Got the job in Aberdeen!! I start on 7 October", time=datetime(2025, 9, 1, tzinfo=UTC))
    got = fact(ANN, "GOT", entity("job"), "Ann got the job in Aberdeen.", evidence=(said.id,), said_at=said.time)
    found = SearchCandidates(
        facts=(found_fact(got, asked, similarities=(0.5, 0.5)),),
        messages=(found_message(said, asked, similarities=(0.5, 0.5)),),
    )
    assert CandidateSet(question(asked), found).told.tolist() == [told]


@pytest.mark.parametrize(("cosine", "stated"), [(0.9, 1.0), (0.1, 0.0)])
def test_a_fact_says_what_its_message_says_only_if_it_fits_the_question_as_well(cosine: float, stated: float) -> None:
    """A message about sleep and a race says more about sleep than the fact about the race does."""
    said = message("sleep average is seven hours, and I signed up for the half marathon in Tartu")
    race = fact(ANN, "SIGNED_UP_FOR", TEA, text="Ann signed up for the half marathon in Tartu.", evidence=(said.id,))
    others = [message(text, position=place) for place, text in enumerate(("it rains", "lunch was late"), start=1)]
    found = SearchCandidates(
        facts=(found_fact(race, similarities=(cosine, cosine)),),
        messages=tuple(
            sorted(
                (
                    found_message(said, similarities=(0.9, 0.9)),
                    *(found_message(each, similarities=(0.1, 0.1)) for each in others),
                ),
                key=lambda each: each.message.id,
            )
        ),
    )
    candidates = CandidateSet(question("How well does Ann sleep?"), found)
    place = [each.id for each in candidates.messages].index(said.id)
    assert candidates.told[place] == stated


def test_a_turn_that_says_only_what_is_no_longer_true() -> None:
    """It is no hit, whoever said it; one that says more than its outdated facts is."""
    outdated = " ".join(tokens("Ann lives in Oslo."))
    only = found_message(message("I live in Oslo.", 0), terms=f"{outdated}", outdated=outdated)
    more = found_message(message("I live in Oslo, and my dog is called Rex.", 1), outdated=outdated)
    assert [hit.text for hit in ranked("Where does Ann live?", [], [only, more])] == [more.message.text]


def test_ties_go_by_id() -> None:
    """Candidates alike in all are facts before messages, each by id."""
    facts = [found_fact(fact(entity(f"s{n}"), "R", entity(f"o{n}"), "same"), similarities=(0.5, 0.5)) for n in range(6)]
    ids = [hit.fact.id for hit in ranked("x", facts) if hit.fact]
    assert ids == sorted(ids)
    messages = [found_message(message("same", n), similarities=(0.5, 0.5)) for n in range(6)]
    ids = [hit.message.id for hit in ranked("x", [], messages) if hit.message]
    assert ids == sorted(ids)


WORDS = st.lists(st.sampled_from("ann tea oslo likes rain 北京 may 2023".split()), min_size=1, max_size=6).map(" ".join)
ENTITIES = st.sampled_from([ANN, BOB, OSLO, TEA])


@st.composite
def candidates(draw: st.DrawFn) -> tuple[str, list[FactCandidate], list[MessageCandidate], Turns]:
    """A question and what a store might find for it."""
    asked = draw(WORDS)
    said = [message(text, place) for place, text in enumerate(draw(st.lists(WORDS, max_size=6)))]
    ends: list[tuple[Entity, Entity, str]] = draw(st.lists(st.tuples(ENTITIES, ENTITIES, WORDS), max_size=8))
    begun = st.sampled_from([None, Moment.parse("2023-05"), Moment.parse("2022")])
    facts = {
        made.fact.id: made
        for n, (one, other, text) in enumerate(ends)
        for made in [
            found_fact(
                fact(
                    one,
                    f"R{n}",
                    other,
                    text,
                    valid_from=draw(begun),
                    evidence=tuple(each.id for each in said[n : n + 2]),
                ),
                asked,
            )
        ]
    }
    messages = [found_message(each, asked, **draw(st.sampled_from([{}, {"similarities": None}]))) for each in said]
    return asked, list(facts.values()), messages, turns(*said)


@given(candidates(), st.randoms())
def test_a_candidate_is_ranked_once(
    made: tuple[str, list[FactCandidate], list[MessageCandidate], Turns], chance: random.Random
) -> None:
    """Candidates come back once, with finite falling scores, in an order that is not theirs; at least ten."""
    asked, facts, messages, around = made
    hits = ranked(asked, facts, messages, around)
    ids = {*(each.fact.id for each in facts), *(each.message.id for each in messages)}
    assert scores(hits).keys() <= ids
    assert len(hits) == len(scores(hits)) >= min(ALWAYS, len(ids))
    assert all(hit.score >= FLOOR for hit in hits[ALWAYS:])
    assert all(math.isfinite(hit.score) for hit in hits)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert ranked(asked, facts, messages, around) == hits
    chance.shuffle(facts)
    chance.shuffle(messages)
    assert scores(ranked(asked, facts, messages, around)) == pytest.approx(scores(hits))


@dataclass(frozen=True)
class Raised:
    """A signal that gives these scores."""

    given: Sequence[float]
    name: str = "raised"
    fact_weight: float = 2.0
    message_weight: float = 0.5

    def scores(self, candidates: CandidateSet) -> Sequence[float]:
        """Return the scores for any candidates."""
        assert len(candidates) == len(candidates.facts) + len(candidates.messages)
        return self.given


def with_signals(signals: Sequence[Signal]) -> tuple[Hit, ...]:
    """The ranking of one fact and one message, explained."""
    found = SearchCandidates(
        facts=(found_fact(fact(ANN, "LIKES", TEA)),), messages=(found_message(message("Chess is fun.", 0)),)
    )
    ranking = rank(question("What does Ann like?"), found, signals)
    return ranking.explained(ranking.hits)


def test_a_signal_of_ones_own() -> None:
    """Its weighted score is added for facts and for messages, and is the last reason of a hit that it changed."""
    plain = scores(with_signals(DEFAULT_SIGNALS))
    hits = with_signals([*DEFAULT_SIGNALS, Raised((1.0, -3.0))])
    for hit in hits:
        added = 2.0 if hit.fact else -1.5
        assert hit.score == plain[hit.fact.id if hit.fact else hit.message.id if hit.message else ""] + added
        assert (hit.reasons[-1].channel, hit.reasons[-1].score) == ("raised", added)
    assert "raised" not in reasons(with_signals([*DEFAULT_SIGNALS, Raised((0.0, 0.0))])[0])
    assert scores(with_signals([])) == dict.fromkeys(plain, 0.0)


@pytest.mark.parametrize("given", [(1.0,), (1.0, math.nan), ((1.0,), (2.0,))])
def test_a_signal_gives_one_number_for_each_candidate(given: Any) -> None:
    """Another shape, or a number that is not finite, is an error that names the signal."""
    with pytest.raises(InputError, match="'raised'"):
        with_signals([Raised(given)])
