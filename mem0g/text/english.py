"""English word lists: months, weekdays, numbers, kin, particles of names, stop words; each is defined once."""

from __future__ import annotations

from typing import Final

MONTHS: Final = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip

MONTH: Final = "|".join(
    {"may": "may", "september": "sep(?:t(?:ember)?)?"}.get(month, f"{month[:3]}(?:{month[3:]})?") for month in MONTHS
)
"""Alternatives of a regular expression: each month, whole or abbreviated ("jan", "sep", "sept"), in lower case."""

WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

WEEKDAY_ABBREVIATIONS: Final = ("mon", "tues", "tue", "wed", "thurs", "thu", "fri", "sat", "sun")
"""A longer one comes before the one that it begins with."""

NUMBERS: Final = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
"""The number that a word means is its index."""

ORDINALS: Final = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth",
)  # fmt: skip

ROMAN_NUMERALS: Final = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")

KIN_SPELLINGS: Final = {
    word: tuple(group.split())
    for group in (
        "mom mum mother mama mommy mummy mam",
        "dad father papa daddy",
        "grandma grandmother granny nana gran nan nanna",
        "grandpa grandfather granddad grandad",
        "kids children",
        "kid child",
        "sister sis",
        "brother bro",
        "husband hubby",
        "wife wifey",
        "aunt auntie aunty",
        "parents folks",
        "girlfriend gf",
        "boyfriend bf",
        "coworkers colleagues workmates",
        "fiance fiancé",
        "fiancee fiancée",
    )
    for word in group.split()
}
"""Each word for kin, or for people as close, with all words for the same relative; the first one represents them."""

KIN: Final = frozenset(KIN_SPELLINGS) | frozenset(
    "son daughter sons daughters brothers sisters siblings uncle cousin cousins niece nephew grandparents "
    "partner spouse family friends teammates roommate roommates boss stepmom stepdad in-laws twins".split()
)
"""Words for people by what they are to somebody."""

DOSE_UNITS: Final = "mg|mcg|ml|g|%|units|micrograms?|milligrams?|grams?"
"""Units of the dose of a medicine, as alternatives of an expression."""

OWN_KIN: Final = frozenset(
    "mom mum mam mother dad father parents grandma grandmother gran granny nan nana grandpa grandfather grandad "
    "granddad grandparents wife husband spouse "
    "girlfriend boyfriend fiance fiancee son daughter sons daughters kids children brother sister brothers sisters "
    "siblings aunt auntie family friends teammates coworkers colleagues workmates roommate roommates boss".split()
)
"""Those of KIN that mean the speaker's own when they stand alone; not "friend" or "cousin", of which there are many."""

KIN_BY_SEX: Final = frozenset(
    "husband wife mother father mom dad son daughter brother sister aunt uncle grandmother grandfather".split()
)
"""Words of KIN for one man or one woman: two of them mean two people."""

NAME_PARTICLES: Final = frozenset("al bin da de del den der di el ibn la le van von".split())
"""Small words within family names, written in lower case: Joachim von der Esch."""

AMBIGUOUS_NAME_PARTICLES: Final = frozenset("ben das della do dos du e ter y zu".split())
"""Further ones, which are also words or initials of their own."""

STOP_WORDS: Final = frozenset(
    "a about after all also am an and any are as at be because been before being but by can could did do does doing "
    "during each for from had has have having he her here hers him his how i if in into is it its just me more most my "
    "no nor not of off on once only or other our out over own s same she should so some such t than that the their "
    "theirs them then there these they this those through to too under until up very was we were what when where which "
    "while who whom why will with would you your yours".split()
)
"""Function words: they say nothing about which fact is meant (Snowball's usual list, shortened)."""


def month_number(name: str) -> int:
    """Return 1 to 12 for the name of a month, whole or abbreviated, in any case. Raise ValueError for another word."""
    return [month[:3] for month in MONTHS].index(name[:3].lower()) + 1
