from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mem0g.extract.protocol import Window
from mem0g.extract.rules import RulesExtractor
from mem0g.model import Role
from tests.extract.talk import message

_PIECES = (
    "I my we our you your he she it Anna Ben Oslo Acme sister dog named called is am are was have had not no longer "
    "live work went to in at from moved love play and , . ! ? - ( ) \" ' yesterday last Friday since 2016 on 3 May if "
    "said because any more meant \u27e60\u27e7 \u27e69 7\u27e7 \n 😅 İ ß １"
).split(" ")


@given(
    st.lists(st.one_of(st.sampled_from(_PIECES), st.text(max_size=12)), max_size=40), st.text(min_size=1, max_size=8)
)
def test_nothing_makes_it_fail(pieces: list[str], speaker: str) -> None:
    """Whatever is said by whomever, it does not raise, and each triple cites a message of the window."""
    texts = (" ".join(pieces), "".join(pieces), "Ben: " + " ".join(reversed(pieces)))
    messages = tuple(message(text, speaker, position) for position, text in enumerate(texts))
    for triple in RulesExtractor().extract(Window(messages=messages, speakers=(speaker, "Ben"))):
        assert set(triple.evidence) <= {m.id for m in messages}
        assert triple.evidence


@pytest.mark.parametrize(
    "unit",
    [
        "a", " ", "I and ", "my ", '"a ', ", my sister Anna,", ". ", "Anna ", "a, ", "1 ", "in May ", "I\n", "in' ",
        "!", "?!", "(", "😅", "http://", ":)", "x, not ", "I meant ", "I love a, b, c and d, ", "my favorite ",
        "well, ", "I have a new new new new new new ", "my neighbour's name Anna ", "everyone at at at ", "\u27e6",
        "and_I ",
    ],
)  # fmt: skip
def test_thirty_thousand_characters(unit: str) -> None:
    """Text without end, of the kinds that make careless patterns backtrack, is read like any other."""
    text = (unit * 30_000)[:30_000]
    RulesExtractor().extract(Window(messages=(message(text),), speakers=("Olivia", "Ben")))


@pytest.mark.parametrize(
    ("role", "speaker"), [("system", "system"), ("tool", "tool"), ("assistant", "assistant"), ("system", "Olivia")]
)
def test_who_is_nobody_claims_nothing(role: Role, speaker: str) -> None:
    """The "I" of the system, of a tool and of a nameless assistant is no person."""
    told = message("I live in Oslo", speaker, role=role)
    assert RulesExtractor().extract(Window(messages=(told,))) == ()


def test_an_assistant_with_a_name_is_a_person() -> None:
    """An assistant that speaks under a person's name is believed."""
    told = message("I live in Oslo", "Nora", role="assistant")
    (triple,) = RulesExtractor().extract(Window(messages=(told,)))
    assert triple.subject == "Nora"


def test_the_context_adds_nothing() -> None:
    """Messages before the window explain, but make no triples."""
    window = Window(messages=(message("Nice!", position=1),), context=(message("I live in Oslo"),))
    assert RulesExtractor().extract(window) == ()


def test_the_context_introduces_names() -> None:
    """Somebody introduced before the window is known in it."""
    window = Window(messages=(message("Anna lives in Rome", position=1),), context=(message("I saw my sister Anna"),))
    (triple,) = RulesExtractor().extract(window)
    assert (triple.subject, triple.object) == ("Anna", "Rome")


def test_you_is_nobody_among_three() -> None:
    """With three speakers "you" may be anyone, so nothing is claimed."""
    window = Window(messages=(message("You work at Google"),), speakers=("Olivia", "Ben", "Cleo"))
    assert RulesExtractor().extract(window) == ()


def test_said_twice_in_a_message_is_one_triple() -> None:
    """A message makes a claim once, however often it says it."""
    window = Window(messages=(message("I live in Oslo. Yes, I live in Oslo!"),))
    assert len(RulesExtractor().extract(window)) == 1


@pytest.mark.slow
def test_dateparser_is_loaded_only_when_needed() -> None:
    """Importing the extractor does not import dateparser."""
    code = "import sys, mem0g.extract.rules; sys.exit('dateparser' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
