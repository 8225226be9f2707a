"""A question as retrieval sees it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mem0g.model import Scope
from mem0g.retrieve.question.query import Question, possible_names, read_question
from mem0g.retrieve.question.temporal_intent import NamedDate
from mem0g.store.sqlite import SqliteStore
from mem0g.testing.store_samples import write
from mem0g.text.names import fold
from tests.making import ANN, BOB, EMBEDDER, change, entity, vector

NAMES = st.lists(st.from_regex(r"[A-Za-zÀ-ÖØ-öø-ÿ]{2,8}", fullmatch=True), min_size=1, max_size=5).map(" ".join)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """A store that knows a few names, some of them Bob's."""
    opened = SqliteStore(tmp_path / "memory.db")
    opened.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
    known = [
        entity("Ann Oliveira", aliases=("Ann", "Annie")),
        entity("Ann Oliveira's mother"),
        entity("O'Brien"),
        entity("AT&T"),
        entity("New York City"),
        entity("小明"),
        entity("दिल्ली"),
        entity("C++ (language)"),
    ]
    write(opened, change(entities=known))
    write(opened, change(BOB, entities=[entity("Rex", BOB)]))
    yield opened
    opened.close()


def read(text: str, store: SqliteStore, scope: Scope = ANN) -> Question:
    """The question as read."""
    return read_question(text, scope, store, EMBEDDER)


def names(question: Question) -> set[str]:
    """The names of the anchors."""
    return {anchor.name for anchor in question.anchors}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Where does Ann live?", "ann"),
        ("where does ANN live?", "ann"),
        ("Is it Ann's?", "ann"),
        ("Is it Ann’s?", "ann"),
        ("Who is Ann's mother?", "ann mother"),
        ("Has she been to New York City?", "new york city"),
        ("Does O'Brien, the boss, work at AT&T?", "o'brien"),
        ("Does O'Brien, the boss, work at AT&T?", "at&t"),
        ("What about Jean-Luc Picard?", "jean-luc picard"),
        ('Is "Ann" a name?', "ann"),
        ("Ann/Bob", "bob"),
        ("Well...Ann--Bob", "ann"),
        ("ＮＡＳＡ?", "nasa"),
        ("दिल्ली कहाँ है?", "दिल्ली"),
        ("小明住在哪里？", "小明"),
        ("Ann住在哪里？", "ann"),
        ("我喜欢Ann Oliveira的茶", "ann oliveira"),
        ("サラさんは?", "サラ"),
        ("지민은 어디?", "지민"),
        ("room 101", "101"),
    ],
)
def test_possible_names(text: str, name: str) -> None:
    """Runs of words, folded, are possible names: without possessives and quotes, in any script."""
    assert name in possible_names(text)


def test_little_words_are_no_names() -> None:
    """Stop words and single letters alone are not looked up."""
    assert possible_names("Is it the one that I was in?") & {"is", "it", "the", "i", "was", "in"} == set()
    assert possible_names("?!") == set()
    assert possible_names("") == set()


@given(NAMES, st.sampled_from(["{}", "Where is {}?", "Is this {}'s?", "“{}”, you say", "({})", "say {}, please"]))
def test_a_name_of_up_to_five_words_is_found(name: str, form: str) -> None:
    """Wherever a name stands in a question, its folded form is among the possible names, if it is no stop word."""
    found = possible_names(form.format(name))
    if " " in name or possible_names(name):
        assert fold(name) in found


@given(st.text(max_size=300))
def test_any_text_can_be_a_question(text: str) -> None:
    """Possible names are folded and not empty, whatever the text is."""
    for name in possible_names(text):
        assert name
        assert name == " ".join(name.split())


@pytest.mark.parametrize(
    "text", ["word " * 100_000, "北京" * 100_000, "北京 " * 50_000, "a-" * 100_000, "Ann's " * 50_000]
)
def test_a_pasted_book_is_a_question_too(text: str) -> None:
    """Names are looked for in the first words only, so that their number stays bounded."""
    assert len(possible_names(text)) < 25_000


def test_anchors_are_the_entities_named(store: SqliteStore) -> None:
    """Names and aliases in any case are found, of this scope alone; a part of a name is not the name."""
    assert names(read("Where does ANNIE live?", store)) == {"Ann Oliveira"}
    assert names(read("Does O'Brien work at AT&T in New York City?", store)) == {"O'Brien", "AT&T", "New York City"}
    assert names(read("小明和दिल्ली?", store)) == {"小明", "दिल्ली"}
    assert names(read("What does Rex eat in New York?", store)) == set()
    assert names(read("What does Rex eat?", store, BOB)) == {"Rex"}


def test_a_question_is_stems_and_dates(store: SqliteStore) -> None:
    """The words are stemmed, the dates read, the text kept."""
    question = read("What did Ann paint in May 2023?", store)
    assert question.text == "What did Ann paint in May 2023?"
    assert question.terms == ("ann", "paint", "may", "2023")
    assert question.dates == (NamedDate(2023, 5),)


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("What does Ann paint?", "What does paint?"),
        ("What does annie paint?", "What does paint?"),
        ("What are Ann Oliveira's paintings of?", "What are paintings of?"),
        ("Who paints for Annotation?", "Who paints for Annotation?"),
        ("Does AT&T sell tea?", "Does sell tea?"),
        ("小明住在哪里？", "住在哪里？"),
        ("Ann住在哪里？", "住在哪里？"),
        ("What is the mother of Ann to O'Brien's tea?", "What is the mother of to tea?"),
        ("What does Bob paint?", "What does paint?"),
        ("Where are Bob and Kay now?", "Where are now?"),
        ("When is Bob's exhibition?", "When is exhibition?"),
        ("Is there paint in Turku?", "Is there paint in Turku?"),
        ("Does Bob?", "Does Bob?"),
    ],
)
def test_names_are_cut_out(store: SqliteStore, text: str, rest: str) -> None:
    """The second vector is of the question without the names of its anchors, and without unknown subjects.

    Parts of other words stay.
    """
    whole, nameless = read(text, store).vectors
    assert np.array_equal(whole, vector(text))
    assert np.array_equal(nameless, vector(rest))


@pytest.mark.parametrize("text", ["Ann?", "Who is Ann Oliveira?", "小明"])
def test_a_question_of_names_alone_stays_whole(store: SqliteStore, text: str) -> None:
    """Where nothing to search by is left, both vectors are of the whole question."""
    whole, nameless = read(text, store).vectors
    assert np.array_equal(whole, nameless)
    assert np.array_equal(whole, vector(text))


def test_names_are_text_not_patterns(store: SqliteStore) -> None:
    """A name with signs in it is cut out as it stands and breaks nothing."""
    write(store, change(entities=[entity("C++", aliases=("c",)), entity("cee", aliases=("[(", "C++"))]))
    assert names(read("Does cee paint?", store)) == {"cee"}
    assert np.array_equal(read("Does cee paint C++?", store).vectors[1], vector("Does paint ?"))
