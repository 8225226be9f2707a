"""Plain questions about many people of whom the same is known: the fact that answers comes first, not a similar one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mem0g import Memory, Triple
from mem0g.model import Fact
from mem0g.retrieve.question.temporal_intent import asks_for_former, named_dates
from mem0g.retrieve.ranking.named_edges import identities, named_edges, subjects_of
from mem0g.retrieve.ranking.times_asked import HELD_THEN, points_of_date
from mem0g.store.candidates import FactColumns
from mem0g.testing import HashingEmbedder
from mem0g.times import Moment
from tests.making import entity, fact
from tests.retrieve.test_ranking import found_fact

PEOPLE = ("Ann Berg", "Tom Berg", "Ida Costa", "Mona Costa", "Hugo Grant", "Keiko Grant")
CITIES = ("Oslo", "Lisbon", "Ghent", "Turin", "Porto", "Bergen")


def triple(subject: str, relation: str, value: str, text: str, **given: Any) -> Triple:
    """A claim about a person."""
    return Triple(subject=subject, relation=relation, object=value, text=text, subject_type="person", **given)


def told() -> Iterator[list[Triple]]:
    """What is known of each person, and then what has changed: all moved to where another one lived, to other jobs."""
    places = list(zip(PEOPLE, CITIES, (*CITIES[1:], CITIES[0]), (*PEOPLE[1:], PEOPLE[0]), strict=True))
    began, changed = Moment.parse("2020-03-01"), Moment.parse("2024-05-01")
    yield [
        claim
        for place, (person, home, _, other) in enumerate(places)
        for claim in (
            triple(person, "lives_in", home, f"{person} lives in {home}.", valid_from=began),
            triple(person, "works_at", f"Firm {place}", f"{person} works at Firm {place}.", valid_from=began),
            triple(person, "works_as", f"trade {place}", f"{person} works as a trade {place}."),
            triple(person, "visited", f"Harbour {place}", f"{person} visited Harbour {place}."),
            triple(person, "enjoys", f"craft {place}", f"{person} enjoys craft {place}."),
            triple(person, "has_sister", other, f"{other} is {person}'s sister."),
            triple(person, "managed_by", other, f"{other} is {person}'s boss."),
        )
    ]
    yield [
        claim
        for place, (person, _, moved, _) in enumerate(places)
        for claim in (
            triple(person, "lives_in", moved, f"{person} moved to {moved}.", valid_from=changed),
            triple(person, "works_at", f"Shop {place}", f"{person} works at Shop {place}.", valid_from=changed),
        )
    ]


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """A memory of these."""
    path: Path = tmp_path_factory.mktemp("plain") / "memory.db"
    with Memory.open(path, embedder=HashingEmbedder(256), extractor="none") as opened:
        for triples in told():
            opened.add_triples(triples, user_id="ann")
        yield opened


def first(memory: Memory, question: str) -> Fact:
    """The fact of the first hit."""
    found = memory.search(question, limit=1, user_id="ann")[0].fact
    assert found
    return found


@pytest.mark.parametrize(
    ("question", "relations"),
    [
        ("What does {} do for a living?", {"WORKS_AS"}),
        ("What does {} do in their free time?", {"ENJOYS"}),
        ("Where did {} travel?", {"VISITED"}),
        ("Where has {} been to?", {"VISITED"}),
        ("Where is {}'s home?", {"LIVES_IN"}),
        ("Who does {} report to?", {"MANAGED_BY"}),
        ("Who is {}'s sister?", {"HAS_SISTER"}),
        ("Who is {}'s boss?", {"MANAGED_BY"}),
        ("Where does {} live?", {"LIVES_IN"}),
    ],
)
def test_of_each_person(memory: Memory, question: str, relations: set[str]) -> None:
    """The relation that is asked for, in the direction that is asked for."""
    for person in PEOPLE:
        found = first(memory, question.format(person))
        assert found.relation in relations
        assert found.subject == person


@pytest.mark.parametrize(
    ("question", "relation", "current"),
    [
        ("Where did {} live before?", "LIVES_IN", False),
        ("Where did {} work before?", "WORKS_AT", False),
        ("Where did {} live in 2021?", "LIVES_IN", False),
        ("Where did {} work in June 2022?", "WORKS_AT", False),
        ("Where does {} work?", "WORKS_AT", True),
    ],
)
def test_what_was_before(memory: Memory, question: str, relation: str, current: bool) -> None:
    """What held then, or before, comes first if it is asked for, what holds now if not."""
    for person in PEOPLE:
        found = first(memory, question.format(person))
        assert (found.relation, found.subject, found.current) == (relation, person, current)


def test_others_at_the_same_place(memory: Memory) -> None:
    """Whether Ann still lives in Oslo is told by where she lives, not by who else lives in Oslo."""
    for person, home in zip(PEOPLE, CITIES, strict=True):
        assert first(memory, f"Does {person} still live in {home}?").subject == person


@pytest.mark.parametrize(
    ("question", "subjects"),
    [
        ("Does Ann still live in Rome?", {"Ann"}),
        ("Isn't Ann in Rome?", {"Ann"}),
        ("Is it Rome where Ann lives?", set()),
        ("When did Rome see Ann?", {"Rome"}),
        ("Ann lives where?", set()),
        ("What planned trip does Ann like?", {"Ann"}),
        ("Does Anna like Rome?", set()),
        ("Does Ann", {"Ann"}),
        ("Does Ann's sister like Rome?", set()),
        pytest.param("is " * 100_000 + "Ann", {"Ann"}, id="many auxiliaries"),
        ("", set()),
    ],
)
def test_subjects(question: str, subjects: set[str]) -> None:
    """The subject stands right after an auxiliary."""
    named = [entity(name) for name in ("Ann", "Rome")]
    assert subjects_of(question, named) == {each.id for each in named if each.name in subjects}


@pytest.mark.parametrize(
    ("question", "former"),
    [
        ("Where did Ann live before?", True),
        ("Where did Ann live before the war?", False),
        ("Where did Ann use to live?", True),
        ("What was Ann's previous job?", True),
        ("Where does Ann live?", False),
        ("Can Ann call before?", False),
        ("Was Ann used to the cold?", False),
        ("What was my previous question?", False),
        ("", False),
    ],
)
def test_what_asks_for_what_was_before(question: str, former: bool) -> None:
    """Words for what was before, in a question about the past."""
    assert asks_for_former(question) == former


@pytest.mark.parametrize(
    ("named", "begin", "end", "held"),
    [
        ("in 2021", "2020-03-01", "2024-05-01", True),
        ("in 2024", "2020-03-01", "2024-05-01", True),
        ("in June 2024", "2020-03-01", "2024-05-01", False),
        ("in 2019", "2020-03-01", "2024-05-01", False),
        ("on 30 February 2021", "2020-03-01", "2024-05-01", True),
        ("in June", "2020-03-01", "2024-05-01", False),
        ("in 2021", "2020-03-01", None, False),
        ("in 2021", None, "2024-05-01", False),
        ("in 2021", "2021", "2021", False),
        ("in 10000", "2020", "2024", False),
    ],
)
def test_what_held_at_a_date(named: str, begin: str | None, end: str | None, held: bool) -> None:
    """A fact that began before it and ended after it; of no year, without an end, or of one moment it is not known."""
    since, until = (Moment.parse(each) if each else None for each in (begin, end))
    lived = replace(fact(entity("Ann"), "LIVES_IN", entity("Rome")), valid_from=since, valid_to=until)
    assert (points_of_date(named_dates(f"Where did Ann live {named}?"), lived) == HELD_THEN) == held


def test_who_somebody_is(tmp_path: Path) -> None:
    """Asked for nothing else, that is what a fact says of them in whatever words, not what they did of late."""
    claims = [
        triple("Jude", "has_sister", "Fee", "Fee is Jude's sister."),
        triple("Lena", "married_to", "Karl", "Karl is Lena's husband."),
        triple("Lena", "has_pet", "Rex", "Lena has a dog named Rex."),
        triple("Ole", "works_as", "baker", "Ole is a baker."),
        *(triple(name, "visited", "Rome", f"{name} visited Rome with Ann.") for name in ("Fee", "Karl", "Rex", "Ole")),
        *(triple(name, "quit", "yoga", f"{name} quit yoga.") for name in ("Fee", "Karl", "Rex", "Ole")),
    ]
    with Memory.open(tmp_path / "m.db", embedder=HashingEmbedder(256), extractor="none") as opened:
        opened.add_triples(claims, user_id="ann")
        for question, says in (
            ("Who is Fee?", "Fee is Jude's sister."),
            ("so who's Karl again", "Karl is Lena's husband."),
            ("What is Rex?", "Lena has a dog named Rex."),
            ("Who was OLE?", "Ole is a baker."),
        ):
            assert first(opened, question).text == says


def test_a_hostile_question_about_nobody() -> None:
    """A hundred thousand words, which a pattern that tries again at each of them would read for hours."""
    ann = entity("Ann")
    known = FactColumns.of([found_fact(fact(ann, "LIKES", entity("tea"), f"Ann is {'a nurse ' * 10_000}"))])
    for question in ("who is " * 50_000 + "Ann", "who is " + "Ann " * 100_000, "who is Ann" + " again" * 100_000):
        assert not identities(question, [ann], known).any()
    assert identities("Who is Ann?", [ann], known).all()


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who does Ann report to?", "Bo is Ann's boss."),
        ("Who is Ann's husband?", "Ann is married to Cy."),
        ("Does Ann have any allergies?", "Ann is allergic to latex."),
        ("What is Ann's profession?", "Ann is a nurse at night."),
    ],
)
def test_a_relation_by_another_name(minilm: None, tmp_path: Path, question: str, answer: str) -> None:
    """The words that only one relation is known by name it, whatever its own name and the sentence say."""
    claims = [
        triple("Ann", "managed_by", "Bo", "Bo is Ann's boss.", object_type="person"),
        triple("Dee", "managed_by", "Ann", "Ann is Dee's boss.", object_type="person"),
        triple("Ann", "married_to", "Cy", "Ann is married to Cy.", object_type="person"),
        triple("Ann", "allergic_to", "latex", "Ann is allergic to latex."),
        triple("Ann", "works_as", "nurse", "Ann is a nurse at night."),
        *(triple("Ann", "likes", f"tune {number}", f"Ann likes tune {number}.") for number in range(20)),
    ]
    with Memory.open(tmp_path / "m.db", extractor="none") as opened:
        opened.add_triples(claims, user_id="ann")
        assert first(opened, question).text == answer


def test_words_of_relations() -> None:
    """A word that several relations are known by names none of them; what somebody was is no word of what is."""
    known = FactColumns.of(
        [
            found_fact(fact(entity("Ann"), relation, entity(thing)))
            for relation, thing in (
                ("WORKS_AS", "nurse"),
                ("WORKS_AT", "Acme"),
                ("DATING", "Bo"),
                ("WORKED_AT", "Firm"),
            )
        ]
    )
    anchor = {entity("Ann").id}

    def named(*terms: str) -> list[bool]:
        return [bool(each) for each in named_edges(terms, anchor, known)]

    assert named("profess") == [True, False, False, False]
    assert named("job") == [False, False, False, False]
    assert named("boyfriend") == [False, False, True, False]
    assert named("go") == [False, False, False, False]
    assert named("employ") == [False, False, False, False]
