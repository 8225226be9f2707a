"""Comparison of extracted triples with the reference."""

from __future__ import annotations

import pytest

from benchmarks.extraction.matching import ALIKE, agree, details, lost_details, paired, within
from benchmarks.extraction.running import Claim, drawn, windows_in
from benchmarks.locomo import read_conversations
from mem0g import Triple
from mem0g.settings import Settings
from mem0g.testing import HashingEmbedder
from mem0g.times import Moment
from tests.benchmarks.mini import Mini

EMBEDDER = HashingEmbedder(4096)


def triple(text: str, subject: str = "Nora", since: str = "", until: str = "") -> Triple:
    """A triple with this sentence."""
    times = [Moment.parse(each) if each else None for each in (since, until)]
    return Triple(subject=subject, relation="does", object="it", text=text, valid_from=times[0], valid_to=times[1])


def claim(text: str, *turns: str, subject: str = "Nora", since: str = "", until: str = "") -> Claim:
    """A triple based on these turns."""
    return Claim(triple(text, subject, since, until), frozenset(turns))


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("2023-05-07", "2023-05-07", True),
        ("2023-05-07", "2023-05-08", False),
        ("2023-05-07", "2023-05", True),
        ("2023-05", "2023-06-01", False),
        ("2023", "2023-12-31", True),
        ("2022", "2023-01-01", False),
        ("2023-05-07T23:10:00Z", "2023-05-07", True),
        ("2023-05-07T23:10:00Z", "2023-05-07T01:00:00Z", True),
    ],
)
def test_dates_agree(one: str, other: str, expected: bool) -> None:
    """Dates are compared at the coarser precision, to the day at most, in either order."""
    assert agree(Moment.parse(one), Moment.parse(other)) is expected
    assert agree(Moment.parse(other), Moment.parse(one)) is expected


def test_a_match_shares_a_turn() -> None:
    """The same sentence of another turn is no match; of those that share a turn, the most similar is."""
    reference = [claim("Nora moved to Bergen", "D1:1", "D1:2")]
    found = [
        claim("Nora moved to Bergen", "D9:9"),
        claim("Nora likes rain", "D1:1"),
        claim("Nora moved to Bergen yesterday", "D1:2", "D5:5"),
    ]
    (pair,) = paired(reference, found, EMBEDDER)
    assert pair.found is found[2]
    assert pair.cosine == pytest.approx(3 / 12**0.5)  # nora, move, bergen of nora, move, bergen, yesterday
    assert pair.recovered
    assert pair.beside == (found[1], found[2])


@pytest.mark.parametrize(
    ("found", "cosine"),
    [
        ([], 0),
        ([claim("Nora moved to Bergen", "D9:9")], 0),
        ([claim("Nora likes rain, snow and hail", "D1:1")], 0.258),
    ],
)
def test_nothing_recovered(found: list[Claim], cosine: float) -> None:
    """Without a triple of the same turn, or one similar enough, a reference is missed, and nothing else is counted."""
    (pair,) = paired([claim("Nora moved to Bergen", "D1:1", since="2023")], found, EMBEDDER)
    assert not pair.recovered
    assert pair.cosine == pytest.approx(cosine, abs=0.05)
    assert pair.cosine < ALIKE
    assert (pair.dates, pair.undated, pair.lost, pair.wrong_person(frozenset({"Nora", "Sam"}))) == (
        [],
        False,
        (),
        False,
    )


def test_dates_of_a_pair() -> None:
    """Both dates count where both triples have them; a start date that only the reference has is undated."""
    reference = claim("Nora sang", "D1:1", since="2023-05-07", until="2023-06")
    dated = claim("Nora sang", "D1:1", since="2023-05", until="2023-07-01")
    assert paired([reference], [dated], EMBEDDER)[0].dates == [True, False]
    (pair,) = paired([reference], [claim("Nora sang", "D1:1", until="2023-06-30")], EMBEDDER)
    assert (pair.dates, pair.undated) == ([True], True)
    assert not paired([claim("Nora sang", "D1:1")], [dated], EMBEDDER)[0].undated


@pytest.mark.parametrize(
    ("expected", "given", "wrong"),
    [
        ("Nora", "Sam", True),
        ("Nora", "NORA ", False),
        ("Nora", "Nora's sister", False),
        ("Nora's cat", "Sam", False),
    ],
)
def test_wrong_persons(expected: str, given: str, wrong: bool) -> None:
    """A wrong person is another speaker, not another spelling and not something else."""
    reference, found = (claim("sang in a choir", "D1:1", subject=subject) for subject in (expected, given))
    (pair,) = paired([reference], [found], EMBEDDER)
    assert pair.wrong_person(frozenset({"Nora", "Sam"})) is wrong


def test_references_within() -> None:
    """A reference counts only if it has turns and all of them were seen."""
    references = [claim("a", "D1:1"), claim("b", "D1:1", "D2:1"), claim("c")]
    assert within(references, frozenset({"D1:1", "D1:2"})) == references[:1]


def test_details_of_a_sentence() -> None:
    """Titles, numbers and names are details; first words, months, "one" and words in titles are not."""
    sentence = (
        'On 7 May 2023 Nora and Ida read "The 39 Steps" to twelve of Sam\'s 1,200 friends in New York. Then one left.'
    )
    assert details(sentence) == [
        ("title", "The 39 Steps"),
        ("number", "7"),
        ("number", "2023"),
        ("number", "1,200"),
        ("number", "twelve"),
        ("name", "Nora"),
        ("name", "Ida"),
        ("name", "Sam"),
        ("name", "New"),
        ("name", "York"),
    ]


@pytest.mark.parametrize(
    ("text", "others", "lost"),
    [
        ("Nora has 12 hives.", ["Nora has twelve hives."], ()),
        ("Nora has seven hives.", ["Nora has 7 hives."], ()),
        ("Nora has 12 hives.", ["Nora has hives."], ("12",)),
        ("She met Ida and Sam.", ["Nora met Ida.", "Nora met SAM's mother."], ()),
        ("She met Ida and Sam.", ["Nora met Ida."], ("Sam",)),
        ("She met Ann.", ["She planned it."], ("Ann",)),
        ('She read "Dune".', ["She read “Dune” twice."], ()),
        ('She read "The Old Sea".', ["She read about the sea, the old one."], ("The Old Sea",)),
        ("She paid 1,200 crowns.", ["She paid 1200 crowns."], ()),
        ("She left on 7 May 2023.", [], ("7", "2023")),
    ],
)
def test_lost_details(text: str, others: list[str], lost: tuple[str, ...]) -> None:
    """A detail is lost when no sentence beside has it in any form."""
    assert lost_details(triple(text), [triple(other) for other in others]) == lost


def test_a_date_of_the_triple_keeps_the_numbers() -> None:
    """A day that is only in valid_from is not lost."""
    assert lost_details(triple("She left on 7 May 2023."), [triple("She left.", since="2023-05-07")]) == ()


def test_windows_as_an_ingest_makes_them(mini: Mini) -> None:
    """A session is a window, or its messages in pairs; earlier ones are its context."""
    conversation = read_conversations(mini.data)[0]
    whole = windows_in(conversation, Settings(), pairs=False)
    assert [[each.source_id for each in window.messages] for window in whole] == [
        ["D1:1", "D1:2", "D1:3"],
        ["D2:1", "D2:2", "D2:3"],
    ]
    assert "attended" in whole[0].relations
    pairs = windows_in(conversation, Settings(), pairs=True)
    assert [len(window.messages) for window in pairs] == [2, 1, 2, 1]
    assert [len(window.context) for window in pairs] == [0, 2, 3, 5]
    assert drawn(pairs, None, 0) == pairs
    assert drawn(pairs, 2, 5) == drawn(pairs, 2, 5)
    assert [pairs.index(each) for each in drawn(pairs, 3, 1)] == sorted(
        pairs.index(each) for each in drawn(pairs, 3, 1)
    )
