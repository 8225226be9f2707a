"""Messages that state something, and those that only ask, acknowledge or show output."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from mem0g.model import Message, Role, Scope, Utterance
from mem0g.retrieve.ranking.said import Readings
from mem0g.retrieve.ranking.statements import TOGETHER, Statements
from mem0g.retrieve.ranking.wording import WITHIN, stated, wording
from mem0g.store.candidates import microseconds
from mem0g.store.found_columns import Names

AT = datetime(2025, 3, 1, tzinfo=UTC)


def message(place: int, text: str, speaker: str = "Uma", role: Role = "user") -> Message:
    """The message at a place of a conversation."""
    said = Utterance(source="s", session="", position=place, speaker=speaker, role=role, text=text, time=AT)
    return Message.of(said, Scope("u"))


def statements(*messages: Message, asked: str = "") -> Statements:
    """The messages of one session, in order."""
    said = [(each.text, each.speaker, "") for each in messages]
    places = np.arange(len(messages))
    readings = Readings()
    (speakers,) = Names.of([each.speaker for each in messages])
    wordings, times = readings.wordings(readings.read(said), asked), microseconds([each.time for each in messages])
    return Statements(wordings, speakers.codes, np.zeros_like(places), places, times)


def telling(*messages: Message, asked: str = "") -> list[bool]:
    """Which of the messages of a session state something."""
    tools = np.array([each.role == "tool" for each in messages])
    found: list[bool] = statements(*messages, asked=asked).stating(tools).tolist()
    return found


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("I moved. Where do you live?", "I moved."),
        ("The fair is on Friday, who can help?", "The fair is on Friday"),
        ("Who can help?", ""),
        ("Fine. Really.", "Fine. Really."),
    ],
)
def test_what_is_stated(text: str, left: str) -> None:
    """Questions are left out, but not what is said before them."""
    assert stated(text) == left


@pytest.mark.parametrize(
    ("text", "tells"),
    [
        ("I have a parrot", True),
        ("I'm Maltese", True),
        ("The fair is on Friday in the old mill, who can help?", True),
        ("Who can help with the fair?", False),
        ("Thanks, when is the fair?", False),
        ("ok", False),
        ("Yes please!", False),
        ("haha 😂", False),
        ("", False),
        ("Ja, gerne!", False),
        ("Uma", False),
        ("I'll ask", False),
        ("ok, let me check that first", False),
        ("I'll ask Tom about the red bike", True),
        ("will do", False),
        ("You haven't told me who has a parrot yet.", False),
        ("I'm sorry, but I don't have any information about your parrot. Feel free to share it!", False),
        ("I don't know your parrot's name. Would you like to tell me?", False),
        ("There is no record of a parrot in my notes.", False),
        ("Du hast mir noch nicht gesagt, wer einen Papagei hat.", False),
        ("Du hast mir noch nicht gesagt, was du isst.", False),
        ("I don't have any records of it, was in Rome all week.", True),
        ("I have no details yet, when Bo is back I'll bake two cakes.", True),
        ("You never told me that Bo has a parrot. I bought seeds.", True),
        ("I don't have access to the aviary", True),
        ("I don't know yet, maybe Friday", True),
        ("I'm sorry, but I don't have any record of that. If you tell me, I'll remember it.", False),
        ("You didn't mention it, but Ann said the alarm code is 4471.", True),
        ("There is no record of the rental contract, the landlord lost it.", True),
        ("I have no details yet, but the party is at Kim's house on Friday.", True),
        ("I have no information about Bob, he moved to Rome in 2022.", True),
    ],
)
def test_what_tells(text: str, tells: bool) -> None:
    """A message tells something by its content words, a few of them if somebody speaks of herself."""
    assert telling(message(0, text), asked="Who has a parrot?") == [tells]


@pytest.mark.parametrize(
    ("text", "within"),
    [
        ("heads up Ole is vegan, can the hut do that?", False),
        ("The party is on Sunday, right?", True),
        ("wedding at the barn place in Ludlow, 30th aug yeh?", True),
        ("Who can help with the fair?", True),
        ("The party is on Sunday in the old mill. Right?", False),
        ("I have a parrot.", False),
    ],
)
def test_what_is_stated_within_a_question(text: str, within: bool) -> None:
    """A statement with "right?" asks all of it; one before a question of its own, or in another sentence, does not."""
    assert (wording(text, "Ann") & WITHIN > 0) is within


def test_a_few_words_answer_a_question() -> None:
    """What somebody else says right after a question tells something, however short; an acknowledgement does not."""
    said = message(0, "Which bird?"), message(1, "hm", "Bo"), message(2, "A parrot", "Bo"), message(3, "Two", "Cy")
    assert telling(*said) == [False, False, True, True]
    assert statements(*said).answered.tolist() == [-1, 0, 0, 0]


def test_whoever_asks_does_not_answer() -> None:
    """The next words of the same speaker follow the question, but do not answer it."""
    said = statements(message(0, "Which bird?"), message(1, "The big parrot"))
    assert (said.follows.tolist(), said.answered.tolist()) == ([-1, 0], [-1, -1])


def test_echo_tools_and_formulas() -> None:
    """The question itself, a tool's output, and words that are said again and again tell nothing."""
    thanks = [message(place, "I will write it down, thank you", "Bot", "assistant") for place in (2, 3, 4)]
    said = message(0, "who has the parrot?"), message(1, "14 tests passed in 3 s", "t", "tool"), *thanks
    assert not any(telling(*said, asked="Who has the parrot?"))


def test_what_is_said_weeks_later_continues_nothing() -> None:
    """In a session that never ends a message answers and continues what was said within TOGETHER, not before."""
    asked, soon = message(0, "Where is the parrot?", "Bo"), message(1, "in the barn")
    late = replace(message(1, "in the barn"), time=AT + timedelta(microseconds=TOGETHER + 1))
    for reply, found in ((soon, 0), (late, -1)):
        said = statements(asked, reply)
        assert (said.answered[1], said.before(1)[1]) == (found, found)
