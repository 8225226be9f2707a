"""What is over by a clause whose subject is something else, or by a verb with an object of its own."""

from __future__ import annotations

import pytest

from tests.extract.talk import ends, over, said

ME = "Olivia"


@pytest.mark.parametrize(
    ("text", "claim", "day"),
    [
        ("Last shift at Kroger was on Monday!!", (ME, "left", "Kroger"), "2024-05-06"),
        ("Today was my last day at Ikea, four years gone", (ME, "left", "Ikea"), "2024-05-08"),
        ("Today is my last day at Acme Corp.", (ME, "left", "Acme Corp"), "2024-05-08"),
        ("My Mazda got stolen on Monday.", (ME, "was_robbed_of", "Mazda"), "2024-05-06"),
        ("Someone stole my bike from outside the house.", (ME, "was_robbed_of", "bike"), "None"),
        ("We totalled the Volvo on Monday.", (ME, "wrecked", "Volvo"), "2024-05-06"),
        ("we had to put Biscuit down on Monday", ("Biscuit", "died_on", "6 May 2024"), "2024-05-06"),
        ("Biscuit was put to sleep yesterday", ("Biscuit", "died_on", "7 May 2024"), "2024-05-07"),
        ("traded in the Triumph for a Vespa", (ME, "traded_in", "Triumph"), "None"),
        ("I'm in the school choir and the drama club", (ME, "member_of", "drama club"), "None"),
        ("We've got two ferrets, Bonnie and Clyde.", (ME, "has_pet", "Clyde"), "None"),
        ("I've been married to Tom since 2015.", (ME, "married_to", "Tom"), "2015"),
        ("got a gym membership at PureGym", (ME, "member_of", "PureGym"), "None"),
        ("I'm subscribed to Netflix and Disney+", (ME, "subscribes_to", "Disney+"), "None"),
        ("new number is 555-0199, dont use the old one", (ME, "has_phone_number", "555-0199"), "None"),
        ("My number is 555-0142 if you need me.", (ME, "has_phone_number", "555-0142"), "None"),
        ("im vegan btw so no cheese for me", (ME, "follows_diet", "vegan"), "None"),
        ("weirdly i like coriander now", (ME, "likes", "coriander"), "None"),
        ("rosa and i are engaged", (ME, "engaged_to", "Rosa"), "None"),
        ("ok so luca and i are back together", (ME, "dating", "Luca"), "None"),
    ],
)
def test_what_is_told(text: str, claim: tuple[str, str, str], day: str) -> None:
    """It is a fact of the speaker, or of the pet, with its day."""
    found = [each for each in said(text) if (each.subject, each.relation, each.object) == claim and not each.retracts]
    assert [str(each.valid_from) for each in found] == [day]


def test_a_last_day_ahead() -> None:
    """Who has a last day to come plans to leave."""
    (triple,) = said("My last day at Acme is on Friday.")
    assert (triple.relation, triple.object, str(triple.planned_for)) == ("plans_to_leave", "Acme", "2024-05-10")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I started smoking again", (ME, "does_not", "smoke")),
        ("I'm eating meat again", (ME, "follows_diet", "vegetarian")),
        ("Madrid's cancelled", (ME, "plans_to_visit", "Madrid")),
        ("gave Kiwi to my neighbour, couldn't take it any more", (ME, "has_pet", "Kiwi")),
        ("I had to give Nettle back to the shelter", (ME, "has_pet", "Nettle")),
        ("doc took me off metformin", (ME, "takes", "metformin")),
        ("finally unsubscribed from Netflix", (ME, "subscribes_to", "Netflix")),
        ("cancelled my PureGym membership", (ME, "member_of", "PureGym")),
        ("cancelled my Netflix subscription", (ME, "subscribes_to", "Netflix")),
        ("finally moved out of my parents' house!", (ME, "lives_with", "Olivia's parents")),
        ("welp, got fired from the bakery", (ME, "works_at", "bakery")),
        ("I was let go by Acme in May.", (ME, "works_at", "Acme")),
        ("Broke my engagement off with Patrick.", (ME, "engaged_to", "Patrick")),
        ("Clyde ran away a week ago", (ME, "has_pet", "Clyde")),
        ("I left the choir when my voice broke", (ME, "member_of", "choir")),
        ("Kyoto has been pushed to May", (ME, "plans_to_visit", "Kyoto")),
        ("I got let go last week", (ME, "works_at", "job")),
    ],
)
def test_what_is_over(text: str, expected: tuple[str, str, str]) -> None:
    """It is taken back."""
    assert expected in over(text)


@pytest.mark.parametrize(
    "text",
    [
        "My heart was stolen",
        "someone stole my idea",
        "My neighbour's car was stolen",
        "my van was stolen if you believe him",
        "Was my bike stolen?",
        "I gave Anna a book",
        "I gave Sam to my sister to look after",
        "I came off the motorway at Leeds",
        "I came off badly",
        "We had to put Tom up for the night",
        "We had to put Max down as an emergency contact",
        "My last day at the beach was lovely",
        "My last day at Acme might be Friday",
        "If my last day at Acme is Friday, I'll cry",
        "I moved out of my mum's way",
        "I got let go from the rope",
        "I'm drinking tea again",
        "coffee and i are together again",
    ],
)
def test_what_only_sounds_like_it(text: str) -> None:
    """Ideas, ways, other people's things, suppositions and questions end nothing."""
    ended = {"left", "was_robbed_of", "wrecked", "plans_to_leave", "died_on", "dating"}
    assert {each for each in ends(text) if each[1] in ended} | over(text) == set()


@pytest.mark.parametrize(
    "text", ["I hate satay, please no satay on Saturday", "I hate satay so please no satay on Saturday"]
)
def test_a_request_is_a_clause_of_its_own(text: str) -> None:
    """Its date is not that of what is told before it."""
    assert [triple.text for triple in said(text)] == ["Olivia hates satay."]


def test_a_comma_follows_a_date() -> None:
    """No space stands before it."""
    (triple,) = said("someone nicked my Yaris last night, unreal")
    assert triple.text == "Someone nicked Olivia's Yaris on 7 May 2024, unreal."


def test_a_text_in_lower_case_keeps_its_articles() -> None:
    """Only the capitals of a name are added."""
    assert [triple.text for triple in said("got a new phone")] == ["Olivia got a new phone."]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (("My boyfriend Luca is a chef.", "luca dumped me yesterday"), ("Luca", "dating", ME)),
        (("We have a cat called Sprat.", "had to give sprat back to the shelter"), (ME, "has_pet", "Sprat")),
        (("My neighbour Frank is a plumber.", "frank moved away last week"), (ME, "has_neighbor", "Frank")),
        (("My neighbour Frank moved out, finally peace.",), (ME, "has_neighbor", "Frank")),
    ],
)
def test_a_known_name_in_lower_case(texts: tuple[str, ...], expected: tuple[str, str, str]) -> None:
    """A name that was given before needs no capital where it begins a clause or something is done with it."""
    assert expected in over(*texts)


def test_a_pet_by_its_name_alone() -> None:
    """A pet whose name is set off by a comma is one pet."""
    assert ends("We adopted a greyhound, Nettle, on Sunday.") == {(ME, "has_pet", "Nettle")}


@pytest.mark.parametrize("text", ["i like sprat on toast", "the sprat died on my plate", "sprat is a fish"])
def test_a_name_that_is_a_common_word(text: str) -> None:
    """Elsewhere the word is only a word."""
    assert over("We have a cat called Sprat.", text) == set()
