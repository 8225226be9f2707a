from __future__ import annotations

import pytest

from tests.extract.talk import ends, said

ME = "Olivia"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I live in Oslo.", (ME, "lives_in", "Oslo")),
        ("I moved to Lisbon last month.", (ME, "lives_in", "Lisbon")),
        ("I just moved from Oslo to Lisbon!", (ME, "lives_in", "Lisbon")),
        ("I used to live in Boston.", (ME, "lived_in", "Boston")),
        ("I've lived in Bergen for nine years", (ME, "lives_in", "Bergen")),
        ("I'm moving to Rome next month", (ME, "plans_to_live_in", "Rome")),
        ("I'm from Sweden.", (ME, "comes_from", "Sweden")),
        ("I was born in Kyiv.", (ME, "born_in", "Kyiv")),
        ("I grew up in Porto", (ME, "grew_up_in", "Porto")),
        ("I'm 34.", (ME, "has_age", "34")),
        ("My birthday is on 3 May.", (ME, "has_birthday", "3 May")),
        ("i live in oslo and work at google", (ME, "lives_in", "Oslo")),
        ("My name is Olivia but everyone at work calls me Liv.", (ME, "also_known_as", "Liv")),
        ("Everyone at work calls me Liv because there are two Olivias.", (ME, "also_known_as", "Liv")),
    ],
)
def test_where_one_lives_and_who_one_is(text: str, expected: tuple[str, str, str]) -> None:
    """A plain statement about residence, origin, age or name is one triple with the speaker as its subject."""
    assert ends(text) == {expected}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I work at Acme.", (ME, "works_at", "Acme")),
        ("I'm a nurse.", (ME, "works_as", "nurse")),
        ("I started a new job at Acme on 3 May.", (ME, "works_at", "Acme")),
        ("I've been hired as a nurse at St. Mary's", (ME, "works_as", "nurse")),
        ("I used to work for Nokia", (ME, "worked_at", "Nokia")),
        ("I'm studying biology.", (ME, "studies", "biology")),
        ("I graduated from the University of Oslo in 2015.", (ME, "graduated_from", "University of Oslo")),
        ("I volunteer at a homeless shelter", (ME, "volunteers_at", "homeless shelter")),
        ("I'm vegan.", (ME, "follows_diet", "vegan")),
        ("I'm a single parent.", (ME, "is_a", "single parent")),
        ("I'm allergic to nuts", (ME, "allergic_to", "nuts")),
    ],
)
def test_work_study_and_condition(text: str, expected: tuple[str, str, str]) -> None:
    """Employers, professions, studies and lasting conditions get the relations of the registry."""
    assert ends(text) == {expected}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I went skiing with my sister Anna", {(ME, "has_sister", "Anna"), (ME, "went", "skiing")}),
        ("My sister Anna lives in Oslo.", {(ME, "has_sister", "Anna"), ("Anna", "lives_in", "Oslo")}),
        ("My sister lives in Oslo.", {("Olivia's sister", "lives_in", "Oslo")}),
        ("Anna is my sister", {(ME, "has_sister", "Anna")}),
        ("My mom's name is Ruth", {(ME, "has_mother", "Ruth")}),
        ("I have two kids, Max and Ella.", {(ME, "has_child", "Max"), (ME, "has_child", "Ella")}),
        ("My wife Sara is a doctor.", {(ME, "married_to", "Sara"), ("Sara", "works_as", "doctor")}),
        ("I'm dating Tom.", {(ME, "dating", "Tom")}),
        ("Clara and I are officially together!", {(ME, "dating", "Clara")}),
        ("I saw your brother Jim", {("Ben", "has_brother", "Jim")}),
        ("Our cat is called Miso.", {(ME, "has_pet", "Miso")}),
        ("My dog is actually called Bella.", {(ME, "has_pet", "Bella")}),
        ("I adopted a golden retriever named Luna yesterday", {(ME, "has_pet", "Luna")}),
        ("my dogs Max and Rex are asleep", {(ME, "has_pet", "Max"), (ME, "has_pet", "Rex")}),
        ("We have a dog. Her name is Luna.", {(ME, "has_pet", "Luna")}),
        ("We adopted a cat, her name's Pixel", {(ME, "has_pet", "Pixel")}),
        ("We have a new puppy and his name is Max", {(ME, "has_pet", "Max")}),
        ("We got a kitten, she's called Miso and she is tiny", {(ME, "has_pet", "Miso")}),
        (
            "I have a brother, his name is Tom and he lives in Rome",
            {(ME, "has_brother", "Tom"), ("Tom", "lives_in", "Rome")},
        ),
        ("Got a rabbit yesterday, its name is Thumper", {(ME, "has_pet", "rabbit"), (ME, "has_pet", "Thumper")}),
        ("I love my sister, her name means a lot to me", {(ME, "loves", f"{ME}'s sister")}),
        ("My sister's cat is here, her name is Luna", set()),
        ("We had a dog named Rex", {(ME, "had_pet", "Rex")}),
        ("My sister Anna came. She works as a nurse.", {(ME, "has_sister", "Anna"), ("Anna", "works_as", "nurse")}),
    ],
)
def test_people_and_pets(text: str, expected: set[tuple[str, str, str]]) -> None:
    """Kin, partners and pets are entities of their own where they are named, the speaker's where they are not."""
    assert ends(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I love hiking and painting.", {(ME, "loves", "hiking"), (ME, "loves", "painting")}),
        ("I'm really into live music", {(ME, "likes", "live music")}),
        ("I don't like mushrooms", {(ME, "dislikes", "mushrooms")}),
        ("I can't stand karaoke!", {(ME, "dislikes", "karaoke")}),
        ("I like to collect jerseys.", {(ME, "likes", "collecting jerseys")}),
        ("My favourite book is Dune", {(ME, "favorite_book", "Dune")}),
        ("I play the violin.", {(ME, "plays", "violin")}),
        ("I speak fluent Spanish", {(ME, "speaks", "Spanish")}),
        ("I have a car", {(ME, "owns", "car")}),
        ("I love your painting", set()),
        ("I love it when you sing", set()),
        ("I have an idea", set()),
    ],
)
def test_tastes_and_belongings(text: str, expected: set[tuple[str, str, str]]) -> None:
    """What is liked, played, spoken and owned is told, not what merely pleases at the moment."""
    assert ends(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I went to a pottery workshop last Friday", (ME, "attended", "pottery workshop")),
        ("We went to the beach", (ME, "visited", "beach")),
        ("I've been to Paris", (ME, "visited", "Paris")),
        ("Oh, just bought some running shoes", (ME, "bought", "running shoes")),
        ("I painted this lake sunrise", (ME, "painted", "lake sunrise")),
        ('I\'m reading "A Dance with Dragons"', (ME, "is_reading", "A Dance with Dragons")),
        ("I'm planning to visit Japan next year", (ME, "plans_to_visit", "Japan")),
        ("We're going to Rome next week", (ME, "plans_to_visit", "Rome")),
        ("I'm going to run the Bergen half marathon on 27 April", (ME, "plans_to_run", "Bergen half marathon")),
        ("I want to visit Peru one day", (ME, "wants_to_visit", "Peru")),
        ("We were able to raise some funds", (ME, "raised", "funds")),
    ],
)
def test_events_and_plans(text: str, expected: tuple[str, str, str]) -> None:
    """Events take the verb's past as their relation, plans its base, so that a plan and its fulfilment match."""
    assert ends(text) == {expected}


@pytest.mark.parametrize(
    "text",
    [
        "Do you live in Oslo?",
        "did I tell you I live in Oslo",
        "If I lived in Paris I'd be happy",
        "I wish I had a dog",
        "I might move to Rome",
        "Maybe I moved to Rome in a former life",
        "My brother said he moved to Rome",
        "I would buy a car",
        "I don't have a dog",
        "I never drink coffee",
        "They moved to Oslo",
        "I had a great time",
        "I love that",
        "I have to go",
        "Quit being a child.",
        "Ich wohne in Berlin",
        "我住在北京",
        "",
        "???",
    ],
)
def test_what_is_no_statement_gives_nothing(text: str) -> None:
    """Questions, suppositions, wishes, hearsay, denials, vagueness and other languages make no triple."""
    assert said(text) == ()


def test_you_is_the_other_of_two() -> None:
    """What is said to the other one of a dialogue of two about work and home is about that one."""
    assert ends("You work at Google now") == {("Ben", "works_at", "Google")}


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("My phone number is +1 (555) 010-9999.", "Olivia's phone number is +1 (555) 010-9999."),
        ("My phone number is (555) 010-9999, at work.", None),
        ("My number is +44 (0)20 7946 0000.", "Olivia's number is +44 (0)20 7946 0000."),
        ("I work as a barista, for now", "Olivia works as a barista."),
        ("I work at Acme for now, but I study law.", "Olivia works at Acme."),
        ("I have a cat named 😀 Smile.", "Olivia has a cat named Smile."),
        ("My cat is called Tom 😀 I love him", "Olivia has a cat named Tom."),
    ],
)
def test_a_sentence_is_not_cut_within_a_value(text: str, claim: str | None) -> None:
    """Brackets in a number, an emoji before a name and "for now" end no sentence and leave no rest."""
    claims = [each.text for each in said(text)]
    assert claims[:1] == ([claim] if claim else [])
    assert not any(each.endswith((" for.", " named.")) for each in claims)


def test_types_of_the_ends() -> None:
    """The ends carry types: person, animal, place, country, organization."""
    texts = ("I live in Oslo with my dog Luna. I work at Acme", "I was born in the UK.")
    types = {t.object: (t.subject_type, t.object_type) for t in said(*texts)}
    assert types == {
        "Oslo": ("person", "place"),
        "UK": ("person", "country"),
        "Luna": ("person", "dog"),
        "Acme": ("person", "organization"),
    }


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("I'm 34.", "34"),
        ("I weigh 84 kilos.", "84 kilos"),
        ("Our rent is 640 euros a month.", "640 euros a month"),
        ("My favourite colour is dark green.", "dark green"),
        ("My birthday is 17 August 1985.", "17 August 1985"),
        ("I'm Scottish.", "Scottish"),
        ("I'm vegan.", "vegan"),
        ("I'm divorced.", "divorced"),
        ("My blood type is O negative.", "O negative"),
        ("My email is ann@example.org.", "ann@example.org"),
        ("My dream is to open a bakery.", "open a bakery"),
    ],
)
def test_a_value_is_a_literal(text: str, value: str) -> None:
    """An amount, a date, an age, a colour, a quality or a phrase is no entity."""
    (triple,) = said(text)
    assert (triple.object, triple.object_is_literal) == (value, True)


@pytest.mark.parametrize("text", ["My GP is Dr Novak.", "My car is a red Fiat.", "My favourite film is Dune."])
def test_a_name_is_no_literal(text: str) -> None:
    """What has a name of its own is an entity."""
    (triple,) = said(text)
    assert not triple.object_is_literal
