"""A message in a few words of its own."""

import pytest

from mem0g.retrieve.context.gist import SPARE, Gists
from mem0g.text.stemming import tokens
from mem0g.text.token_count import count_words

SAID = [
    "Hmm, I'm trying to understand the garden plan, can you help me with that?",
    "I planted forty tulips in March, can you help me water them?",
    "Can you help me with the plan?",
    "Can you help me, please?",
]


def gists(question: str = "", said: list[str] = SAID) -> Gists:
    return Gists(tokens(question), (" ".join(tokens(text)) for text in said))


def test_it_is_the_rarest_words_in_a_row() -> None:
    """What other messages say as well is left out, and the function words at both ends."""
    assert gists().of(SAID[1], 5) == "planted forty tulips in March"
    assert gists().of(SAID[0], 4) == "understand the garden plan"


def test_a_clause_is_ended_where_hardly_more_is_needed() -> None:
    """Else it is cut at the last word that fits, and function words before the cut are left out."""
    assert gists().of("I planted forty red tulips in March", 4) == "planted forty red tulips in March"
    assert gists().of("I planted forty red tulips in a bed of clay", 5) == "planted forty red tulips"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I'm not a morning person.", "not a morning person"),
        ("If I won the lottery I'd buy a farm in Tuscany.", "If I won the lottery I'd buy a farm in Tuscany"),
        ("If I won the lottery, I'd buy a farm in Tuscany.", "If I won the lottery, I'd buy a farm in Tuscany"),
        ("I'd kill for a holiday.", "I'd kill for a holiday"),
        ("No, I did not sell the house in Kent.", "did not sell the house in Kent"),
        ("If it rains we cancel the picnic", "If it rains we cancel the picnic"),
        ("If it rains, we cancel the picnic", "If it rains, we cancel the picnic"),
        ("Unless it rains,", "Unless it rains"),
        ("I'm in Brussels today", "in Brussels today"),
        ("Should I move to Brussels?", "Should I move to Brussels?"),
        ("I would never eat snails.", "would never eat snails"),
        ("I was vegetarian for three years.", "was vegetarian for three years"),
        ("I have no dog.", "have no dog"),
        ("We could sell the boat.", "could sell the boat"),
        ("Why is it not working?", "not working?"),
        ("Ich habe das Haus nicht verkauft.", "Haus nicht verkauft"),
        ("Das ist kein Hund, und es war nie der Hund.", "kein Hund"),
    ],
)
def test_a_gist_does_not_turn_a_statement_round(text: str, expected: str) -> None:
    """A negation, a condition or a wish is not cut off its beginning, nor where somebody is."""
    assert gists(said=[text]).of(text, 12).startswith(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I'd like to plant tulips.", "plant tulips"),
        ("I was wondering if you could help me plant tulips.", "plant tulips"),
        ("I'm not sure how to plant tulips.", "plant tulips"),
        ("How would you plant tulips?", "plant tulips?"),
        ("I was hoping to plant tulips.", "plant tulips"),
    ],
)
def test_a_polite_beginning_is_cut_off(text: str, expected: str) -> None:
    """Words of a request that look like a negation, a condition or a wish but are none."""
    assert gists(said=[text]).of(text, 12) == expected


def test_words_asked_for_come_first() -> None:
    """Of two clauses that say as much the one with the question's words is taken."""
    text = "I painted the fence. I repaired the boat."
    assert gists(said=[text]).of(text, 3) == "painted the fence"
    assert gists("What about my boat?", [text]).of(text, 3) == "repaired the boat"


def test_a_count_takes_the_clause_with_the_number() -> None:
    """Of two clauses the one with a number is taken where numbers are asked for."""
    text = "I reorganised the repository, it has 165 commits."
    assert Gists((), [text]).of(text, 4) == "reorganised the repository"
    assert Gists((), [text], counting=True).of(text, 4) == "165 commits"


def test_code_is_left_out_where_there_are_words() -> None:
    """A message of code alone shows its beginning."""
    assert gists().of("My parser fails:\n```python\ndef parse(text):\n    return 1\n```", 6) == "parser fails"
    assert gists().of("```python\ndef parse(text): ...\n```", 6) != ""


def test_formulas_are_left_out() -> None:
    """Those of LaTeX: cut short they say nothing."""
    text = r"Its area is \(\frac{25 \times 1.732}{4}\) about ten. \[ A = \frac{1}{2} b h \]"
    assert gists(said=["one"]).of(text, 5) == "area is about ten"


def test_a_title_is_kept_whole() -> None:
    """Its first word may be one that says nothing elsewhere."""
    assert gists().of('So "The Expanse" is a long saga.', 6) == '"The Expanse" is a long saga'


def test_a_reply_is_its_headings() -> None:
    """Headings without numbers and marks, those of many messages left out, as far as they fit."""
    reply = "Sure!\n### 1. Plan the beds\nText.\n### 2. **Water the tulips**\nText.\n### Summary\nText."
    others = [reply, *["### Summary of it"] * 9, *SAID]
    assert gists(said=others).reply(reply, 20) == "Plan the beds; Water the tulips"
    assert gists(said=others).reply("Water them daily.", 20) == "Water them daily"


def test_a_reply_is_the_points_of_its_lists() -> None:
    """Bold words at the start of an item or a line; not those within a sentence, and no names of files."""
    reply = (
        "Sure!\n### `main.py`\n1. **Dig a hole**: deep.\n2. Stones **everywhere**.\n- **Buy soil:** Loam.\n**Wait**\n"
    )
    assert gists(said=[reply]).reply(reply, 20) == "Dig a hole; Buy soil; Wait"
    assert gists(said=[reply]).reply(reply, 3) == "Buy soil; Wait"


def test_a_reply_does_not_repeat_its_request() -> None:
    """What the request has said counts for nothing, and what many lines of the page have said for less."""
    reply = "Repairing the boat is wise. The mast needs varnish."
    assert gists(said=[reply]).reply(reply, 5) == "Repairing the boat is wise"
    assert gists(said=[reply]).reply(reply, 5, said=tokens("repair the boat")) == "mast needs varnish"
    steps = "### Buy varnish\n### Sand the mast"
    assert gists(said=[steps]).reply(steps, 2) == "Buy varnish"
    assert gists(said=[steps]).reply(steps, 3, told=dict.fromkeys(tokens("buy varnish"), 9)) == "Sand the mast"


def test_a_part_of_a_sentence_has_to_say_more() -> None:
    """A clause within a sentence may lack its subject, so that its words count for less."""
    others = [*["painted walls"] * 4, *["x"] * 6]
    assert gists(said=others).of("I painted walls. Drank coffee.", 2) == "Drank coffee"
    assert gists(said=others).of("I painted walls, drank coffee.", 2) == "painted walls"


@pytest.mark.parametrize("text", ["", "   ", "?!", "the of and", "```", "# \n## \n", "\n" * 50])
def test_nothing_said(text: str) -> None:
    """A message without words has no gist, or one of its marks."""
    assert count_words(gists().of(text, 8)) <= 1
    assert count_words(gists().reply(text, 8)) <= 1


@pytest.mark.parametrize("text", ["x" * 100_000, "x, " * 40_000, "def f():\n    pass\n" * 6_000, "日本語" * 3_000])
def test_a_huge_message_is_cut(text: str) -> None:
    """Of 100 kB of anything at most the words asked for are shown, and those that end a clause."""
    assert count_words(gists().of(text, 10)) <= 10 + SPARE
    assert count_words(gists().reply(text, 10)) <= 10 + SPARE
