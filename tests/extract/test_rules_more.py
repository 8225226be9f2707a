"""Forms of daily talk: what one had to do, what helps one, what one used to do, how one felt."""

from __future__ import annotations

import pytest

from tests.extract.talk import ends, over, said

ME = "Olivia"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I had to shut down my bank account.", {(ME, "shut_down", "Olivia's bank account")}),
        ("I got the chance to volunteer at a youth center", {(ME, "volunteered_at", "youth center")}),
        ("I used to compete in a few dance competitions", {(ME, "used_to_compete_in", "dance competitions")}),
        ("I used to go horseback riding", {(ME, "used_to_go", "horseback riding")}),
        ("I just visited a travel agency.", {(ME, "visited", "travel agency")}),
        ("We made pizza!", {(ME, "made", "pizza")}),
        ("I ran 15 km.", {(ME, "ran", "15 km")}),
        ("I made my friend some ice cream", {(ME, "made", "ice cream")}),
        ("I won my first chess tournament", {(ME, "won", "first chess tournament")}),
        ("I got accepted for a fashion internship", {(ME, "was_accepted_for", "fashion internship")}),
        ("I met some investors.", {(ME, "met", "investors")}),
        ("I helped renovate a community center", {(ME, "helped_renovate", "community center")}),
        ("I worked hard on another script", {(ME, "worked_on", "script")}),
        ("I started hitting the gym", {(ME, "started", "hitting the gym")}),
        ("I loved taking lessons with my friends", {(ME, "loved", "taking lessons with Olivia's friends")}),
        ("I've gotten some endorsement deals", {(ME, "got", "endorsement deals")}),
        ("I had a blast exploring the forest", {(ME, "enjoyed", "exploring the forest")}),
        ("I got noticed by fashion editors", {(ME, "was_noticed_by", "fashion editors")}),
        ("We roasted marshmallows", {(ME, "roasted", "marshmallows")}),
        ("I got a surge of energy and purpose", {(ME, "got", "surge of energy and purpose")}),
        ("I whipped up some chocolate and vanilla swirl", {(ME, "whipped_up", "chocolate and vanilla swirl")}),
    ],
)
def test_what_was_done(text: str, expected: set[tuple[str, str, str]]) -> None:
    """What one had to do was done; a recipient is no object; "used to" and passives have relations of their own."""
    assert {(s, r, o) for s, r, o in ends(text) if o != "Olivia's friend"} == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I'm running for office again.", (ME, "is_running_for", "office")),
        ("I'm prepping for my dance studio more than ever!", (ME, "is_prepping_for", "Olivia's dance studio")),
        ("Can't wait to surprise my family with cake!", (ME, "looks_forward_to", "surprise Olivia's family with cake")),
        ("I'm so excited to explore the nature", (ME, "looks_forward_to", "explore the nature")),
        ("I've always wanted to learn Spanish.", (ME, "wants_to_learn", "Spanish")),
        ("I'm volunteering as a mentor", (ME, "volunteers_as", "mentor")),
        ("I'm off to Ireland.", (ME, "plans_to_visit", "Ireland")),
        ("I'd recommend visiting some castles", (ME, "recommends", "visiting some castles")),
        ('Highly recommend "Dune"!', (ME, "recommends", "Dune")),
        ("I love seeing my students succeed", (ME, "loves", "seeing Olivia's students succeed")),
        ("I'm really focused on building my business", (ME, "focuses_on", "building Olivia's business")),
        ("I've been blogging about politics", (ME, "is_blogging_about", "politics")),
        ("I'm allergic to nuts, so who knows if I can eat here", (ME, "allergic_to", "nuts")),
        ("I'm getting married to Tom in June.", (ME, "plans_to_marry", "Tom")),
        ("I'm starting a new job at Lidl next month.", (ME, "plans_to_work_at", "Lidl")),
        ("I found a new job at Philips.", (ME, "works_at", "Philips")),
        ("I work part-time at a bakery called Crumb.", (ME, "works_part_time_at", "Crumb")),
        ("I go to a school called Northgate.", (ME, "goes_to", "Northgate")),
        ("My mum lives in the suburbs of Leeds.", (f"{ME}'s mum", "lives_in", "Leeds")),
        ("I moved to a small town called Zell.", (ME, "lives_in", "Zell")),
        ("I'm from a village in Poland.", (ME, "comes_from", "Poland")),
        ("my mother in law lives in Bremen", (f"{ME}'s mother-in-law", "lives_in", "Bremen")),
        ("My new number is +49 151 2223344 in case you need it", (ME, "has_phone_number", "+49 151 2223344")),
        ("I do yoga.", (ME, "does", "yoga")),
        ("I write poems.", (ME, "writes", "poems")),
        ("I've been busy with writing projects", (ME, "busy_with", "writing projects")),
        ("I found out recently that I'm allergic to cockroaches", (ME, "allergic_to", "cockroaches")),
        ("It made me think, so I just joined a choir", (ME, "joined", "choir")),
    ],
)
def test_what_goes_on_and_is_ahead(text: str, expected: tuple[str, str, str]) -> None:
    """Anticipation, habits and recommendations are told, also after a clause about what made one do so."""
    assert ends(text) == {expected}


def test_ages_after_something_else() -> None:
    """Names with a number are ages, also where the sentence begins with other things."""
    ages = {("Jonas", "has_age", "7"), ("Greta", "has_age", "4")}
    assert ends("We come with two kids, Jonas is 7 and Greta is 4") >= ages
    assert ends("two kids, Jonas is 7 and Greta is 4.") == ages
    assert not {relation for _, relation, _ in ends("the rooms are 5 and 6, Room is 7 metres long")} & {"has_age"}


def test_a_wedding_and_a_birthday_lie_ahead() -> None:
    """Said in May, "in June" and "next week" are those to come."""
    assert [t.text for t in said("I'm getting married to Tom in June.")] == [
        "Olivia is getting married to Tom in June 2024."
    ]
    assert [t.text for t in said("I turn 44 next week.")] == ["Olivia turns 44 in the week of 13 May 2024."]


@pytest.mark.parametrize(
    ("text", "expected", "sentence"),
    [
        ("Painting helps me relax.", (ME, "helped_by", "Painting"), "Painting helps Olivia relax."),
        (
            "My family motivates me to keep going",
            (ME, "motivated_by", "Olivia's family"),
            "Olivia's family motivates Olivia to keep going.",
        ),
        ("Staying in shape is important to me", (ME, "values", "Staying in shape"), None),
        ("I'm a total movie fan!", (ME, "likes", "movies"), "Olivia is a fan of movies."),
        ("I felt nervous before the show.", (ME, "felt", "nervous"), "Olivia felt nervous before the show."),
        ("I'm feeling hopeful about the future", (ME, "feels", "hopeful"), None),
        ("My sister is my rock", (ME, "has_rock", "Olivia's sister"), "Olivia's sister is Olivia's rock."),
    ],
)
def test_what_a_whole_clause_says(text: str, expected: tuple[str, str, str], sentence: str | None) -> None:
    """What helps, what matters and how one felt about something are claims of the clause."""
    (triple,) = said(text)
    assert (triple.subject, triple.relation, triple.object) == expected
    assert sentence in (None, triple.text)


@pytest.mark.parametrize(
    "text",
    [
        "Here's a pic of Oliver.",
        "I live in a village near Siena.",
        "I live in a small flat in Graça.",
        "I start at a school in Leeds on Monday.",
        "I'm always thinking about Max",
        "I'd love to see another painting of yours!",
        "I'm looking forward to talking to them",
        "Your support helps me a lot",
        "Taking care of yourself helps us be strong",
        "I was bored today",
        "I'm moving to Rome next month, but only if Tom pays",
        "Maybe even back then, I was inspired by stories",
        "We kissed for ten minutes",
        "I gave her a hug",
        "I got a question for you guys",
        "I felt great",
        "I've got a funny story",
        "We make a great team",
        "I took some trial and error",
        "He told me I had to leave",
        "I love all the yellow leaves",
    ],
)
def test_what_says_nothing_by_itself(text: str) -> None:
    """Politeness, pointing, moods of the moment and idioms make no triple."""
    assert said(text) == ()


@pytest.mark.parametrize(
    ("text", "relations"),
    [
        ("My supervisor is Prof. Helen Marsh.", {("has_supervisor", "Prof. Helen Marsh")}),
        ("My house is 100 years old and my car is 12.", set()),
        ("I'm allergic to Mondays.", set()),
        ("I'm allergic to nuts.", {("allergic_to", "nuts")}),
        ("I took my degree to Berlin.", {("took", "Olivia's degree")}),
        ("My first wife Anna left me.", {("left", "Olivia")}),
    ],
)
def test_words_that_look_like_another_statement(text: str, relations: set[tuple[str, str]]) -> None:
    """A title ends no sentence; an age is no car, a joke no allergy, a degree no company, a first wife not the wife."""
    assert {(relation, name) for _, relation, name in ends(text)} == relations


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("My wife's name is Elena and she's from Romania", {("Elena", "comes_from", "Romania")}),
        ("My wife is called Elena. She lives in Rome", {("Elena", "lives_in", "Rome")}),
        ("I've been vegan for six years", {(ME, "follows_diet", "vegan")}),
        ("I've been vegan", set()),
        ("I've been married since 2015", {(ME, "marital_status", "married")}),
        ("I work two days a week at a bakery", {(ME, "works_part_time_at", "bakery")}),
        ("I signed up for a pottery class starting in June", {(ME, "signed_up_for", "pottery class")}),
        ("My son plays the cello and sings in a choir", {("Olivia's son", "plays", "cello")}),
        (
            "My son plays the guitar and drums in a band",
            {("Olivia's son", "plays", each) for each in ("guitar", "drums")},
        ),
        ("I got the flat in Ghent, moving in on 1 June", {(ME, "got", "flat")}),
        ("My class got cancelled", {(ME, "faced_cancellation_of", "Olivia's class")}),
        ("I'd like to bring the viewing forward to Friday", set()),
        ("Danny supports Villa, God help him", {("Danny", "supports", "Villa")}),
        ("I take levothyroxine, 75 micrograms, every day", {(ME, "takes", "levothyroxine 75 micrograms")}),
        ("My son is away Monday to Thursday most weeks", set()),
        ("I'm playing tennis on Friday", set()),
        ("I'm teaching a class on Friday", {(ME, "plans_to_teach", "class")}),
        ("I'm learning Greek for our trip on Friday", {(ME, "is_learning", "Greek")}),
        ("The demo is on Friday even though it rains", {(ME, "has_upcoming", "demo")}),
        ("I play the cello on Tuesday nights", {(ME, "plays", "cello")}),
        ("We hired a nurse for grandma", {(ME, "hired", "nurse")}),
        ("I got hired as a nurse", {(ME, "works_as", "nurse")}),
    ],
)
def test_what_belongs_to_a_claim(text: str, expected: set[tuple[str, str, str]]) -> None:
    """A name and what follows it, a time for which something has been so, and no verb of another clause."""
    assert {each for each in ends(text) if each[1] != "married_to"} == expected


def test_a_date_of_another_verb() -> None:
    """The day of moving in is not that on which the flat was got."""
    (flat,) = said("I got the flat in Ghent, moving in on 1 June")
    assert (flat.valid_from, flat.planned_for) == (None, None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I'm out next week, back on the 7th", "Olivia is out in the week of 13 May 2024, back on 7 June 2024."),
        ("I'm on holiday from the 1st to the 5th", "Olivia is on holiday from 1 to 5 June 2024."),
        ("I'm on holiday from the 30th to the 2nd", "Olivia is on holiday from 30 May to 2 June 2024."),
    ],
)
def test_days_of_a_month_that_is_not_named(text: str, expected: str) -> None:
    """They are the next ones, seen from the message, the last one from the first on."""
    assert [each.text for each in said(text)] == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "I'm going with a friend",
        "I'm staying with a host family",
        "We're going with the Smiths",
        "Agreed: pineapple belongs on pizza",
        "Beautiful it is",
        "Whoever it is, I don't care",
        "The new one is 192.168.100.24",
        "The new one is 12345678",
        "The salary is 45k",
        "We're in a club in Ibiza",
        "My mum is rarely in hospital",
    ],
)
def test_company_opinions_and_what_is_nobodys(text: str) -> None:
    """People one goes with are no choice, nor is a judgement; a number or a salary without an owner is nobody's."""
    assert said(text) == ()


def test_who_she_may_be() -> None:
    """Beside somebody without a name, "she" is not the one relative that is mentioned."""
    assert not any(each[0].endswith("mum") for each in ends("I met a nurse while visiting my mum. She lives in Leeds."))
    assert ("Olivia's mum", "lives_in", "Leeds") in ends("I was visiting my mum. She lives in Leeds.")


def test_who_is_spoken_to_is_no_pet() -> None:
    """A name after a comma is that of the pet, unless somebody of the conversation is called so."""
    assert ends("We got a greyhound, Nettle") == {(ME, "has_pet", "Nettle")}
    assert ends("We got a puppy, Ben!") == {(ME, "has_pet", "puppy")}


def test_capitals_within_a_word_stay() -> None:
    """An IBAN is not an iBAN."""
    assert [each.text for each in said("IBAN is DE89370400440532013000")] == ["The IBAN is DE89370400440532013000."]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("i hate coriander u know this", {(ME, "dislikes", "coriander")}),
        ("I can't stand small talk", {(ME, "dislikes", "small talk")}),
        ("I'll write properly next week", set()),
        ("I work as a radiographer", {(ME, "works_as", "radiographer")}),
        ("I take 20 mg of citalopram every morning", {(ME, "takes", "citalopram 20 mg")}),
        ("My doctor switched me from ramipril to losartan", {(ME, "takes", "losartan")}),
        ("I'm not vegan, just vegetarian", {(ME, "follows_diet", "vegetarian")}),
        ("im seeing someone new, his name is Teo", {(ME, "dating", "Teo")}),
        ("my bro moved to leeds last yr", {("Olivia's bro", "lives_in", "Leeds")}),
        ("gran passed away this morning", {("Olivia's gran", "died_on", "8 May 2024")}),
        ("My mother has Alzheimer's", {("Olivia's mother", "has_condition", "Alzheimer's")}),
        ("I report to Kirsten now", {(ME, "managed_by", "Kirsten")}),
        ("my nephew arlo is 7 now can u believe", set()),
        ("I used to live on that street!", set()),
        ("The ferry was cancelled", set()),
        ("i'm allergic to kiwi remember??", {(ME, "allergic_to", "kiwi")}),
        ("I've been taking sertraline for three weeks", {(ME, "takes", "sertraline")}),
        ("I broke up w my boyfriend", {(ME, "broke_up_with", "Olivia's boyfriend")}),
        ("Your cousin Nils is here! Her name is Sanne and she's a midwife", {("Sanne", "works_as", "midwife")}),
    ],
)
def test_everyday_words(text: str, expected: set[tuple[str, str, str]]) -> None:
    """Short forms, fillers and names that follow; no adverb, no thing pointed at, no deed of nobody."""
    assert {each for each in ends(text) if each[1] != "has_cousin"} == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I'm vegan, what should I cook?", {(ME, "follows_diet", "vegan")}),
        ("I am vegan, can you give me three recipes", {(ME, "follows_diet", "vegan")}),
        ("I live in Oslo, any tips?", {(ME, "lives_in", "Oslo")}),
        ("I live in Oslo, do I?", set()),
        ("We live in Oslo, are we not?", set()),
        ("You live in Oslo, how is it?", set()),
        ("Do I live in Oslo, what do you think?", set()),
    ],
)
def test_a_statement_before_a_question(text: str, expected: set[tuple[str, str, str]]) -> None:
    """What one says of oneself before a comma and a question is stated, but for a tag."""
    assert ends(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("My car insurance expires on 3 February 2027", ("Olivia's car insurance", "expires_on", "3 February 2027")),
        ("my passport runs out in June", ("Olivia's passport", "expires_on", "June 2024")),
        ("Our lease ends on 31 August", ("Olivia's lease", "ends_on", "31 August 2024")),
    ],
)
def test_what_ends_on_a_day(text: str, expected: tuple[str, str, str]) -> None:
    """The day is a value of the thing."""
    assert ends(text) == {expected}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Dad retired on wednesday", "Olivia's dad retired on 1 May 2024."),
        ("watched dune last nite, meh", "Olivia watched dune on 7 May 2024."),
        ("booked the vet for pickles on tues", "Olivia booked the vet for pickles on 14 May 2024."),
    ],
)
def test_days_as_people_write_them(text: str, expected: str) -> None:
    """Short names of days are read; a day of the past that is called as today is that of last week."""
    assert expected in [each.text for each in said(text)]


def test_a_plan_that_is_given_up() -> None:
    """Not to go after all ends a plan; not to go may never have been one."""
    assert over("We're not going to Sicily after all") == {(ME, "plans_to_visit", "Sicily")}
    assert over("I'm not going to Rome") == over("I'm not going to talk after all") == set()


def test_a_medicine_with_its_article() -> None:
    """The medicine that was stopped is the one named, not its article."""
    over = [each.object for each in said("I stopped taking the sertraline two weeks ago") if each.retracts]
    assert over == ["sertraline"]
