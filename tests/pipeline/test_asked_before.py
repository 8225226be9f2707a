"""What is asked again and again, and stored each time, as a chat program does, is still answered."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mem0g import Memory
from tests.pipeline.telling import Place

TOLD = "Doctor Alvarez does my teeth, she's great."
FORMS = ("{}", "Hey, {}", "Quick one: {}", "Remind me, {}", "Again: {}", "Please, {}", "So, {}", "Once more, {}")
REPLIES = ("Let me think about that...", "You haven't told me who your dentist is yet.")


def turns() -> Iterator[dict[str, str]]:
    """What was told once, and then 128 questions like "Who is my dentist?", with replies that say nothing."""
    yield {"role": "user", "content": TOLD}
    for ending in ("", " please", " now", " these days", " again", " anyway", " then", " by the way"):
        for form in FORMS:
            for reply in REPLIES:
                yield {"role": "user", "content": f"{form.format('who is my dentist')}{ending}?"}
                yield {"role": "assistant", "content": reply}


@pytest.fixture
def asked_often(place: Place) -> Iterator[Memory]:
    """A memory in which one question fills what is nearest to it."""
    with Memory.open(place.address, credentials=place.credentials, extractor="none") as memory:
        memory.add(list(turns()), user_id="uma")
        yield memory


def test_a_statement_is_found_behind_questions_like_the_one_asked(asked_often: Memory) -> None:
    """The statement is first, and in the context, however often it was asked for."""
    assert asked_often.search("Who is my dentist?", user_id="uma")[0].text == TOLD
    assert "Alvarez" in asked_often.context("Who is my dentist?", user_id="uma", tokens=300).text
