"""What a question wants to know is read from its words."""

import pytest

from mem0g.retrieve.question.kinds import asks_for_a_detail, asks_for_several, asks_for_words, asks_when


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("When did Ann move?", True),
        ("How long has she lived there?", True),
        ("In which year was that?", True),
        ("What time is it?", True),
        ("Where did Ann move?", False),
        ("What did Ann do in May?", True),
        ("What did Ann find on 1 February, 2023?", True),
        ("", False),
    ],
)
def test_what_asks_for_a_time(question: str, expected: bool) -> None:
    """The question's words tell."""
    assert asks_when(question) is expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Why did Ann move?", True),
        (" With whom does she live?", True),
        ("How did it go?", True),
        ("How many dogs does she have?", False),
        ("What did Ann do?", False),
        ("", False),
    ],
)
def test_what_asks_for_a_detail(question: str, expected: bool) -> None:
    """Reasons, people, places and manners are told at length."""
    assert asks_for_a_detail(question) is expected


@pytest.mark.parametrize(
    "question",
    [
        "What hobbies does Ann have?",
        "Which events has Ann been to?",
        "In which local clubs is she a member?",
        "What are the ways in which Ann's firm has grown?",
        "what kind of music does she like",
        "Where has Ann lived?",
        "What has Ann painted?",
        "How many children does she have?",
        "What do Ann and Bob both like?",
        "Which events in the town has Ann been to?",
        "Which  events\nhas Ann been to?",
        "What artists/bands has Ann seen?",
        "What parts of the U.S. has Ann been to?",
        "What pets wouldn't make Ann sneeze?",
    ],
)
def test_what_asks_for_several_things(question: str) -> None:
    """A plural, what has been done up to now, a count, what two have in common."""
    assert asks_for_several(question)


@pytest.mark.parametrize(
    "question",
    [
        "What Ann thinks the best studio should look like?",
        "What is Ann's business called?",
        "What did Ann's friends give her?",
        "What was on the news?",
        "Which series does she watch?",
        "Why has Ann moved?",
        "When does she leave?",
        "Welche Hobbys hat Ann?",
        "What " + "a " * 5000 + "?",
        "",
    ],
)
def test_what_asks_for_one_thing(question: str) -> None:
    """All others, and whatever is not English."""
    assert not asks_for_several(question)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("What did Jo say about the boat?", True),
        ("How does my sister describe her boss?", True),
        ("What have Jo and Al mentioned of Rome?", True),
        ("What is there to say about Rome?", False),
        ("Did Jo buy what they call a yawl?", False),
        ("Who told Jo?", False),
    ],
)
def test_asks_for_words(question: str, words: bool) -> None:
    """Only what somebody named, or referred to, has said."""
    assert asks_for_words(question) is words
