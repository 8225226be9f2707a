"""Plain statements in the words of chats: what relatives did, what one may not eat, and questions after them."""

from __future__ import annotations

import pytest

from tests.extract.talk import ends, said


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I'm allergic to penicillin, so what can I take instead?", ("Olivia", "allergic_to", "penicillin")),
        ("I take 50 mcg of levothyroxine, so when should I eat?", ("Olivia", "takes", "levothyroxine 50 mcg")),
        ("My son passed his exam", ("Olivia's son", "passed", "Olivia's son's exam")),
        ("My brother crashed his car", ("Olivia's brother", "crashed", "Olivia's brother's car")),
        ("My son passed the GCSEs", ("Olivia's son", "passed", "GCSEs")),
        ("Iris passed the CCNA last week", ("Iris", "passed", "CCNA")),
        ("My nan has died", ("Olivia's nan", "is", "dead")),
        ("Nan lives in Leeds", ("Olivia's nan", "lives_in", "Leeds")),
        ("Mrs Patel lives in Leeds", ("Mrs Patel", "lives_in", "Leeds")),
        ("Mr Jones died on Tuesday", ("Mr Jones", "died_on", "7 May 2024")),
        ("Joe can't have anything with sesame in now", ("Joe", "cannot_have", "sesame")),
        ("I can't eat anything with nuts", ("Olivia", "cannot_eat", "nuts")),
        ("I react badly to latex gloves", ("Olivia", "reacts_badly_to", "latex gloves")),
        ("Ella has been told she's coeliac, so from Monday she'll bring lunch", ("Ella", "is", "coeliac")),
        ("I don't drink btw, haven't in years", ("Olivia", "does_not", "drink")),
        ("Marta had a baby boy on Tuesday", ("Marta", "had", "baby boy")),
        ("My sister had the baby last night, a girl", ("Olivia's sister", "had", "baby")),
        ("I've taken over the on-call rota from Ben", ("Olivia", "took_over", "on-call rota")),
        ("I live in Leeds, just so you know", ("Olivia", "lives_in", "Leeds")),
        ("I work as a radiographer, just so you have the background", ("Olivia", "works_as", "radiographer")),
        ("We've adopted a greyhound, or will have by the 5th", ("Olivia", "has_pet", "greyhound")),
        ("I live in Porto, Ben, not Lisbon", ("Olivia", "lives_in", "Porto")),
        ("Luis doesn't eat pork, so for the party could we have fish", ("Luis", "does_not_eat", "pork")),
        ("Just so everyone knows before Friday, Lottie can't have sesame", ("Lottie", "cannot_have", "sesame")),
        ("I've stopped the statins, they gave me cramps", ("Olivia", "stopped", "statins")),
        ("I don't eat prawns, before anyone orders for me", ("Olivia", "does_not_eat", "prawns")),
        ("PS Tom has a dog called Rex.", ("Tom", "has_pet", "Rex")),
        ("Dear Ms Achebe, Tariq has been diagnosed with dyslexia", ("Tariq", "has_condition", "dyslexia")),
        (
            "Dear Dr Voss, before Thursday I should mention that I'm on apixaban, 5 mg",
            ("Olivia", "takes", "apixaban 5 mg"),
        ),
        ("As you know, my sister lives in Leeds", ("Olivia's sister", "lives_in", "Leeds")),
        ("Heads up that Priya is vegan", ("Priya", "follows_diet", "vegan")),
        ("Just so everyone's aware, I live in Leeds", ("Olivia", "lives_in", "Leeds")),
        ("Please be aware that I'm allergic to eggs", ("Olivia", "allergic_to", "eggs")),
        ("I do play chess actually", ("Olivia", "plays", "chess")),
        ("I never liked lamb", ("Olivia", "dislikes", "lamb")),
        ("I can't abide opera", ("Olivia", "dislikes", "opera")),
        ("I gave up the choir, too many late nights", ("Olivia", "gave_up", "choir")),
        ("Mam lives in Leeds", ("Olivia's mam", "lives_in", "Leeds")),
        ("My physical's on the 30th now", ("Olivia", "has_upcoming", "Olivia's physical")),
        ("Nan's op is Tuesday", ("Olivia's nan", "has_upcoming", "Olivia's nan's op")),
        ("Tom's studying law", ("Tom", "studies", "law")),
        ("Kelly's allergic to cats, FYI for whoever hosts", ("Kelly", "allergic_to", "cats")),
        ("Marta is on maternity leave", ("Marta", "is_on", "maternity leave")),
        ("I'm vegan as of today", ("Olivia", "follows_diet", "vegan")),
        ("I'm O negative so they keep calling", ("Olivia", "has_blood_type", "O negative")),
        ("My sister sings in a choir", ("Olivia's sister", "member_of", "choir")),
        ("I can't do shellfish", ("Olivia", "avoids", "shellfish")),
        ("Shauna's off caffeine, doctor's orders", ("Shauna", "avoids", "caffeine")),
        ("I hate flying", ("Olivia", "dislikes", "flying")),
        ("i collect stamps, if you must know", ("Olivia", "collects", "stamps")),
        ("I'm coeliac, so yes it matters if the sauce has wheat", ("Olivia", "is", "coeliac")),
        ("I've gone off coffee", ("Olivia", "avoids", "coffee")),
        ("Kiki doesn't eat pork fyi so no carnitas", ("Kiki", "does_not_eat", "pork")),
        ("Denise is a paralegal, she read my contract", ("Denise", "works_as", "paralegal")),
        ("I'm a social worker", ("Olivia", "works_as", "social worker")),
        ("Dad has sleep apnea", ("Olivia's dad", "has_condition", "sleep apnea")),
        ("Lupe is Marisol's aunt", ("Marisol", "has_aunt", "Lupe")),
        ("Josie's boyfriend is called Aiden", ("Josie", "dating", "Aiden")),
        ("I'm married with two kids", ("Olivia", "marital_status", "married")),
        ("I work from home on Fridays", ("Olivia", "works", "from home")),
        ("I work nights, most weeks", ("Olivia", "works", "nights")),
        ("I rent a flat in Leeds", ("Olivia", "rents", "flat")),
        ("My flat is in Headingley", ("Olivia's flat", "is_in", "Headingley")),
        ("I live alone", ("Olivia", "lives", "alone")),
        ("I'm looking for a new flat in York", ("Olivia", "is_looking_for", "new flat")),
        ("I go to the gym three times a week", ("Olivia", "goes_to", "gym")),
        ("I wear size 8 shoes", ("Olivia", "wears", "size 8")),
        ("I'm an only child", ("Olivia", "is", "only child")),
        ("I can't swim", ("Olivia", "cannot", "swim")),
        ("My address is 5 High Street, Leeds", ("Olivia", "has_address", "5 High Street, Leeds")),
        ("We moved to Oslo! No, it is not cold here.", ("Olivia", "lives_in", "Oslo")),
        ("my middle name is Margaret, after Nan", ("Olivia", "has_middle_name", "Margaret")),
        ("I'm left handed", ("Olivia", "is", "left handed")),
        ("I was a nurse for ten years", ("Olivia", "worked_as", "nurse")),
        ("Matilda's in hospital with RSV", ("Matilda", "is_in", "hospital")),
        ("My birthday's the 9th of December", ("Olivia", "has_birthday", "9 December")),
        ("My godmother lives in Cork", ("Olivia's godmother", "lives_in", "Cork")),
        ("My mom is a retired bus driver so she has opinions", ("Olivia's mom", "worked_as", "bus driver")),
    ],
)
def test_what_is_stated(text: str, expected: tuple[str, str, str]) -> None:
    """Each is one claim, without what else the sentence says."""
    found = said(text)
    assert expected in ends(text)
    assert all(
        "so from" not in each.text and "have not" not in each.text and not each.planned_for for each in found[:1]
    ) or (expected[1] == "has_upcoming")


@pytest.mark.parametrize(
    "text",
    [
        "My brother loves her garden",
        "My parents ARE coming for Christmas",
        "I've signed up for June instead",
        "I have a dentist at 2",
        "We've got a blue heeler pup to mind till Christmas",
        "Check this: 'Me and my wife live in Hull since 2004.' It's from a leaflet.",
        "My sister had a boy over for tea",
        "We had a girl from Spain staying",
        "Have I passed the CCNA?",
        "I passed the CCNA book to Iris",
        "I can't do coffee tomorrow",
        "Mum's flying lessons are expensive",
        "Tom's learning curve is steep",
        "Early is fine",
        "Shauna's husband is a pilot or works with pilots",
        "Owen passed the exam or he's still waiting",
        "We pay 1,240 between us",
        "We adopted a greyhound! Well Tom and Jess did. His name is Kevin",
        "Practice is moved to Wednesday 7pm this week",
        "Quiz is cancelled tonight",
        "I'm a hard worker",
        "OK so in this roleplay I'm Mrs Doyle, 82, I live in Nundah and I'm allergic to codeine. go",
        "Lactose is fine again, the dietitian had me off it for six months",
        "Shabana's pregnant!! No she isn't, she's promoted",
        "Davie is learning to stay in the shed",
        "I can't cook tonight",
        "I can drive on Saturday",
        "I'm looking for a recipe",
        "I've had three migraines since the weekend",
        "Monday is Tuesday's brother",
        "I can't have a scan with the... nvm that's Greg",
    ],
)
def test_what_is_not_stated(text: str) -> None:
    """Somebody else's thing, guests, questions, and a date that is nobody's relation."""
    assert said(text) == ()
