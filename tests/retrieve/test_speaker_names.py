"""Which texts name a speaker."""

from __future__ import annotations

from pathlib import Path

import pytest

from mem0g import Memory
from mem0g.model import Role
from mem0g.retrieve.ranking.about import MINE, NOBODY, OF_OTHERS, OWN_OF_OTHERS, UNNAMED
from mem0g.retrieve.ranking.candidate_set import CandidateSet
from mem0g.retrieve.ranking.ranking import rank
from mem0g.retrieve.ranking.speaker_names import Capital, is_named, name_terms
from mem0g.store.candidates import SearchCandidates
from mem0g.testing import HashingEmbedder
from mem0g.text.stemming import tokens
from tests.making import message, turns
from tests.retrieve.test_ranking import found_message, question


@pytest.mark.parametrize(
    ("name", "text", "named"),
    [
        ("ann", "What does Ann like?", True),
        ("ann", "what does ann like?", True),
        ("Ann Smith", "Where does Ann's brother live in Oslo?", True),
        ("rose", "Which rose did Ann plant?", False),
        ("rose", "What did Rose plant in Oslo?", True),
        ("user 12", "How many users logged in at 12?", False),
        ("user-12", "What did user 12 say?", True),
        ("beam 1", "When does sprint 1 end?", False),
        ("张伟", "张伟住在哪里？", True),
        ("", "Who is it?", False),
        ("...", "Who is it?", False),
        ("ann", "", False),
    ],
)
def test_names_in_questions(name: str, text: str, named: bool) -> None:
    """A word of the name with a capital where the text has any; an identifier only as a whole."""
    assert is_named(name, text) is named


@pytest.mark.parametrize(("capital", "named"), [("always", False), ("usual", True), ("any", True)])
def test_capitals(capital: Capital, named: bool) -> None:
    """A text without capitals may name somebody, unless they are asked for."""
    assert is_named("tutor", "what would a tutor say?", capital=capital) is named


def test_terms() -> None:
    """Each word of a name is a term, an identifier is one as a whole."""
    assert name_terms("Ann Smith") == {"ann", "smith"}
    assert name_terms("beam 1") == {"beam 1"}
    assert name_terms("...") == frozenset()


@pytest.mark.parametrize("name", ["beam 1", "user-12", "alex", "u1"])
def test_an_identifier_is_no_word_of_its_messages(name: str) -> None:
    """The messages of a user rank alike whatever identifier the user has: its digits are not in what they say."""
    texts = ("My first sprint ends on Friday.", "My sprint 1 ends in 12 days.", "I like tea.")
    said = [message(text, position=n, speaker=name) for n, text in enumerate(texts)]
    terms = {each.text: f"{' '.join(name.replace('-', ' ').split())} {' '.join(tokens(each.text))}" for each in said}
    asked = question("When does sprint 1 end in 12 days?")
    messages = tuple(found_message(each, asked.text, terms=terms[each.text]) for each in said)
    around = turns(*said)
    found = SearchCandidates(facts=(), messages=messages, turns=around)
    assert CandidateSet(asked, found).asked == frozenset()
    assert rank(asked, found).hits[0].text == texts[1]


def test_an_assistant_named_by_a_common_word() -> None:
    """Who asks for a tutor does not ask about the assistant of that name."""
    said = [
        message("I need a tutor.", speaker="ann"),
        message("I am here.", position=1, speaker="tutor", role="assistant"),
    ]
    messages = tuple(found_message(each, "a tutor") for each in said)
    found = SearchCandidates(facts=(), messages=messages, turns=turns(*said))
    assert CandidateSet(question("where is a tutor?"), found).asked == frozenset()
    assert CandidateSet(question("What did Tutor say?"), found).asked == {"tutor"}


def test_who_is_asked_about_and_named_by_others() -> None:
    """In a question of a user, an assistant's messages that name the user are about her, a common word does not."""
    texts: list[tuple[str, Role, str]] = [
        ("rose", "user", "I planted a tree."),
        ("bot", "assistant", "Well done, Rose, in Oslo!"),
        ("bot", "assistant", "A rose in Oslo needs sun."),
        ("bot", "assistant", "I cannot tell."),
    ]
    said = [message(text, n, speaker=who, role=role) for n, (who, role, text) in enumerate(texts)]
    found = SearchCandidates(facts=(), messages=tuple(map(found_message, said)), turns=turns(*said))
    candidates = CandidateSet(question("What did I plant?"), found)
    assert candidates.asked == {"rose"}
    assert candidates.about.tolist() == [0.0, 0.0, OF_OTHERS, OWN_OF_OTHERS]


def test_facts_of_other_speakers_come_after_what_the_one_asked_about_said(tmp_path: Path) -> None:
    """ "Where does Nora work?" does not ask where Jonas works."""
    said = [
        ("Jonas", "I work as a baker at Lindt."),
        ("Nora", "I work at the hospital as a nurse."),
        ("Nora", "I was on the night shift again."),
    ]
    with Memory.open(tmp_path / "m.db", embedder=HashingEmbedder()) as memory:
        memory.add([{"role": "user", "name": who, "content": text} for who, text in said], user_id="g")
        found = [hit.text for hit in memory.search("Where does Nora work?", user_id="g")]
    assert found[0] == "Nora works at the hospital as a nurse."
    assert found.index("I was on the night shift again.") < found.index("Jonas works as a baker at Lindt.")


def test_the_user_is_asked_about() -> None:
    """A program asks about "the user", who is the only one in this role."""
    texts: list[tuple[str, Role, str]] = [
        ("rose", "user", "signed for the flat in Oslo"),
        ("rose", "user", "my cat likes it"),
        ("rose", "user", "he says it is cold"),
        ("bot", "assistant", "Oslo is cold."),
    ]
    said = [message(text, n, speaker=who, role=role) for n, (who, role, text) in enumerate(texts)]
    found = SearchCandidates(facts=(), messages=tuple(map(found_message, said)), turns=turns(*said))
    candidates = CandidateSet(question("Where does the user live?"), found)
    assert candidates.asked == {"rose"}
    assert candidates.about.tolist() == [UNNAMED, MINE, NOBODY, OF_OTHERS]
    assert CandidateSet(question("Which users live in Oslo?"), found).asked == frozenset()
