"""Forms of English verbs."""

from __future__ import annotations

from typing import Final

IRREGULAR: Final = {
    "be": ("was", "been"), "become": ("became", "become"), "begin": ("began", "begun"), "break": ("broke", "broken"),
    "bring": ("brought", "brought"), "build": ("built", "built"), "buy": ("bought", "bought"),
    "catch": ("caught", "caught"), "choose": ("chose", "chosen"), "come": ("came", "come"), "cut": ("cut", "cut"),
    "dig": ("dug", "dug"), "do": ("did", "done"), "draw": ("drew", "drawn"), "drive": ("drove", "driven"),
    "eat": ("ate", "eaten"), "fall": ("fell", "fallen"), "feed": ("fed", "fed"), "feel": ("felt", "felt"),
    "fight": ("fought", "fought"), "find": ("found", "found"), "fly": ("flew", "flown"),
    "forget": ("forgot", "forgotten"), "get": ("got", "gotten"), "give": ("gave", "given"), "go": ("went", "gone"),
    "grow": ("grew", "grown"), "have": ("had", "had"), "hear": ("heard", "heard"), "hide": ("hid", "hidden"),
    "hit": ("hit", "hit"), "hold": ("held", "held"), "keep": ("kept", "kept"), "know": ("knew", "known"),
    "lead": ("led", "led"), "leave": ("left", "left"), "lend": ("lent", "lent"), "let": ("let", "let"),
    "lose": ("lost", "lost"), "make": ("made", "made"), "mean": ("meant", "meant"), "meet": ("met", "met"),
    "pay": ("paid", "paid"), "put": ("put", "put"), "read": ("read", "read"), "ride": ("rode", "ridden"),
    "rise": ("rose", "risen"), "run": ("ran", "run"), "say": ("said", "said"), "see": ("saw", "seen"),
    "seek": ("sought", "sought"), "sell": ("sold", "sold"), "send": ("sent", "sent"), "set": ("set", "set"),
    "shoot": ("shot", "shot"), "shut": ("shut", "shut"), "sing": ("sang", "sung"), "sit": ("sat", "sat"),
    "sleep": ("slept", "slept"), "speak": ("spoke", "spoken"), "spend": ("spent", "spent"),
    "stand": ("stood", "stood"), "steal": ("stole", "stolen"), "swim": ("swam", "swum"), "take": ("took", "taken"),
    "teach": ("taught", "taught"), "tell": ("told", "told"), "think": ("thought", "thought"),
    "throw": ("threw", "thrown"), "understand": ("understood", "understood"), "wake": ("woke", "woken"),
    "wear": ("wore", "worn"), "win": ("won", "won"), "write": ("wrote", "written"),
}  # fmt: skip
"""Past and participle of verbs of daily life that do not take -ed, by their base form."""

IRREGULAR_THIRD: Final = {"have": "has", "be": "is", "do": "does", "go": "goes"}
"""The form after he or she, by the base form."""

_DOUBLING: Final = frozenset("plan stop run swim set get shop jog win put sit cut begin knit chat".split())
"""Verbs whose last letter is doubled before -ed and -ing."""


def third(base: str) -> str:
    """Return the form after he or she: work, works; study, studies."""
    if base in IRREGULAR_THIRD:
        return IRREGULAR_THIRD[base]
    if base.endswith("y") and base[-2:-1] not in "aeiou":
        return base[:-1] + "ies"
    return base + ("es" if base.endswith(("s", "sh", "ch", "x", "z")) else "s")


def gerund(base: str) -> str:
    """Return the -ing form: run, running; bake, baking."""
    if base in _DOUBLING:
        return base + base[-1] + "ing"
    if base.endswith("e") and not base.endswith("ee"):
        return base[:-1] + "ing"
    return base + "ing"


def past(base: str) -> str:
    """Return the simple past: go, went; plan, planned."""
    if base in IRREGULAR:
        return IRREGULAR[base][0]
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2:-1] not in "aeiou":
        return base[:-1] + "ied"
    return base + (base[-1] if base in _DOUBLING else "") + "ed"


def participle(base: str) -> str:
    """Return the form after "have": go, gone; visit, visited."""
    return IRREGULAR[base][1] if base in IRREGULAR else past(base)


ALIKE: Final = tuple(
    tuple(family.split())
    for family in (
        "attend complete enroll enrol finish join participate take",
        "attempt complete finish practice practise solve try",
        "add deploy employ implement install integrate set try use",
        "build code create develop implement make write",
        "fly go travel visit",
        "acquire adopt buy get obtain own purchase receive",
        "collaborate cooperate work",
        "hear listen",
    )
)
"""Verbs of which one may deny what another says of the same object."""
