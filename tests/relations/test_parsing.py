import pytest

from mem0g.relations.parsing import parse_relation


@pytest.mark.parametrize(
    ("name", "words", "tense", "denied"),
    [
        ("lives_in", "live in", "now", False),
        ("lived_in", "live in", "past", False),
        ("used_to_live_in", "live in", "past", False),
        ("has_visited", "visit", "past", False),
        ("is_reading", "read", "now", False),
        ("went_camping_with", "go camp with", "past", False),
        ("has_pet", "have pet", "now", False),
        ("is_proud_of", "proud of", "now", False),
        ("was_proud_of", "proud of", "past", False),
        ("is_named", "is name", "now", False),
        ("has_been_working_on", "work on", "now", False),
        ("plans_to_visit", "visit", "plan", False),
        ("wants_to_visit", "visit", "wish", False),
        ("may_visit", "visit", "maybe", False),
        ("has_never_visited", "visit", "past", True),
        ("does_not_like", "like", "now", True),
        ("no_longer_works_at", "work at", "now", True),
        ("cannot_have", "can have", "now", True),
        ("has_no", "have", "now", True),
        ("is_still_looking_for", "look for", "now", False),
        ("seeks", "look for", "now", False),
        ("agreed_to_visit", "visit", "plan", False),
        ("needs_to_visit", "visit", "wish", False),
        ("favorite_books", "favorite books", "now", False),
    ],
)
def test_names_are_read(name: str, words: str, tense: str, denied: bool) -> None:
    """A name gives its words in base form, its tense, and whether it is denied."""
    parsed = parse_relation(name)
    assert (" ".join(parsed.words), parsed.tense, parsed.denied) == (words, tense, denied)


@pytest.mark.parametrize(
    ("name", "mood"),
    [
        ("plans_to_visit", "plan"),
        ("promised_to_visit", "promise"),
        ("looks_forward_to_visiting", "anticipation"),
        ("hopes_to_visit", "wish"),
        ("needs_to_visit", "need"),
        ("might_visit", "maybe"),
        ("used_to_visit", "former"),
        ("was_inspired_by", "was"),
        ("is_inspired_by", ""),
        ("was_visiting", ""),
    ],
)
def test_moods(name: str, mood: str) -> None:
    """What leads up to the verb is told apart more finely than by tense."""
    assert parse_relation(name).mood == mood
