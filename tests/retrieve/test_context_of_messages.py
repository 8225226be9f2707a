"""What short messages inherit from those before them, and what they lose for being short."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from mem0g import Memory
from mem0g.model import Utterance
from mem0g.retrieve.question.query import Question
from mem0g.retrieve.ranking.candidate_set import CONTINUED, LONG, WHOLE, CandidateSet
from mem0g.retrieve.ranking.said import Readings
from mem0g.retrieve.ranking.statements import Statements
from mem0g.store.candidates import UNKNOWN, MessageCandidate, SearchCandidates
from mem0g.testing import HashingEmbedder
from tests.making import message, turns, vector

AT = datetime(2025, 3, 1, 9, tzinfo=UTC)


def candidates(said: Sequence[tuple[str, float]], session: str = "one") -> CandidateSet:
    """The messages of a session with their cosines, as candidates for a question."""
    made = [message(text, position=place, session=session) for place, (text, _) in enumerate(said)]
    found = tuple(MessageCandidate(each, (cosine, cosine), "") for each, (_, cosine) in zip(made, said, strict=True))
    asked = Question("yoga", (), (), (), (vector("yoga"), vector("yoga")))
    return CandidateSet(asked, SearchCandidates((), messages=found, turns=turns(*made)).in_columns())


def test_a_short_message_inherits_from_those_before_it() -> None:
    """Farther ones count less, those after it not at all."""
    short = [("thursday", 0.0), ("ok then", 0.0), ("at six", 0.0), ("fine", 0.0)]
    found = candidates([("our hens lay eggs", -0.5), ("yoga is back on", 0.9), *short])
    similarity = found.similarity[1]
    assert similarity > 0
    np.testing.assert_allclose(found.context, [0, 0, *(share * similarity for share in CONTINUED), 0])


def test_a_long_message_inherits_nothing() -> None:
    """It says enough by itself; one in between inherits a part."""
    words = [f"word{number}" for number in range(WHOLE)]
    long, middle = " ".join(words), " ".join(words[10:])
    found = candidates([("yoga is back on", 0.9), (long, 0.0)])
    assert found.context[1] == 0
    assert 0 < candidates([("yoga is back on", 0.9), (middle, 0.0)]).context[1] < found.similarity[0]


def test_what_is_not_like_the_question_takes_nothing_away() -> None:
    """The message before is less like the question than most."""
    assert candidates([("hens", -0.5), ("thursday", 0.1), ("yoga", 0.9)]).context[1] == 0


def test_short_messages_are_short() -> None:
    """From LONG words on there is no difference."""
    words = [" ".join(["word"] * count) for count in (LONG * 2, LONG, 3, 1)]
    brevity = candidates([(each, 0.0) for each in words]).brevity
    assert brevity[0] == brevity[1] == 0 < brevity[2] < brevity[3]


def test_the_message_before_is_of_the_same_session() -> None:
    """Positions may have gaps, and the order in which messages are given does not matter."""
    positions, sessions = np.array([4, 2, 3, 3, 0]), np.array([0, 0, 0, 1, -1])
    readings = Readings()
    wordings = readings.wordings(readings.read([(each, "Uma", "") for each in "abcde"]), "")
    statements = Statements(wordings, np.zeros(5, np.int32), sessions, positions, np.full(5, UNKNOWN))
    assert statements.before(1).tolist() == [2, -1, 1, -1, -1]
    assert statements.before(2).tolist() == [1, -1, -1, -1, -1]


def test_a_reply_without_a_word_of_the_question_is_found(tmp_path: Path) -> None:
    """ "thursday, cause of the choir" replies to a question about yoga, in another session than the outdated day."""
    said = [
        (0, "Ann", "yoga class is on tuesdays at the church hall in the village"),
        (0, "Bo", "lovely, the hall is warm"),
        (7, "Bo", "the hens got out again and ate all of the salad"),
        (9, "Bo", "are you still doing the yoga class, what day is it"),
        (9, "Ann", "thursday, cause of the choir"),
    ]
    made = [
        Utterance(
            source="c",
            session=str(day),
            position=place,
            speaker=who,
            role="user",
            text=text,
            time=AT + timedelta(days=day, minutes=place),
        )
        for place, (day, who, text) in enumerate(said)
    ]
    with Memory.open(tmp_path / "m.db", embedder=HashingEmbedder(), extractor="none") as memory:
        memory.add(made, user_id="ann")
        assert memory.search("On which weekday is the yoga class?", user_id="ann")[0].text == said[-1][2]


def test_what_was_asked_before_changes_nothing(tmp_path: Path) -> None:
    """A program that stores the turns of its users has each question in many words: statements keep their scores."""
    told = ["I moved to Leeds in May", "the pool opens at seven", "Bo sold his old van", "our hens lay six eggs a day"]
    question = "When does the pool open?"
    asked = [question, "when does the pool open in May", "is the pool open at seven?", "where did Bo sell the van?"]
    with Memory.open(tmp_path / "m.db", embedder=HashingEmbedder(), extractor="none") as memory:
        memory.add([{"role": "user", "content": text} for text in told], user_id="ann")
        before = memory.search(question, user_id="ann")
        assert before[0].text == told[1]
        for text in asked * 3:
            turns = [{"role": "user", "content": text}, {"role": "assistant", "content": "One moment, please."}]
            memory.add(turns, user_id="ann", run_id="later")
        after = [hit for hit in memory.search(question, user_id="ann") if hit.text in told]
    assert [hit.text for hit in after] == [hit.text for hit in before]
    assert [hit.score for hit in after] == pytest.approx([hit.score for hit in before])


@pytest.mark.parametrize(
    ("told", "question", "part"),
    [
        (
            "I really enjoyed the long walk across the hills with my colleagues from the office last weekend, and later"
            " we all went to the little pub by the river where Tom told us the whole story of his trip to Peru.",
            "What did Tom tell us about Peru?",
            "Tom told us the whole story of his trip to Peru.",
        ),
        (
            "先週末、会社の同僚たちと丘を越えて長い散歩をしました。トムがペルー旅行の話を全部しました。",
            "トムはペルーについて何を話しましたか",
            "ペルー旅行",
        ),
    ],
)
def test_a_small_budget_gets_a_part(tmp_path: Path, told: str, question: str, part: str) -> None:
    """Where no message fits whole, the part of the best one that is asked about is quoted; in hardly any words none."""
    with Memory.open(tmp_path / "m.db", embedder=HashingEmbedder(), extractor="none") as memory:
        memory.add(told, user_id="ann")
        context = memory.context(question, user_id="ann", tokens=40)
        assert part in context.text
        assert (context.tokens <= 40, context.known, len(context.hits)) == (True, True, 1)
        assert context.hits[0].reasons
        assert memory.context(question, user_id="ann", tokens=5).text == ""
