"""Forms of English verbs."""

from __future__ import annotations

import re
from typing import Final

IRREGULAR: Final = {
    "be": ("was", "been"), "become": ("became", "become"), "begin": ("began", "begun"), "bite": ("bit", "bitten"),
    "blow": ("blew", "blown"), "break": ("broke", "broken"), "bring": ("brought", "brought"),
    "build": ("built", "built"), "buy": ("bought", "bought"), "catch": ("caught", "caught"),
    "choose": ("chose", "chosen"), "come": ("came", "come"), "cost": ("cost", "cost"), "cut": ("cut", "cut"),
    "deal": ("dealt", "dealt"), "dig": ("dug", "dug"), "do": ("did", "done"), "draw": ("drew", "drawn"),
    "drive": ("drove", "driven"), "eat": ("ate", "eaten"), "fall": ("fell", "fallen"), "feed": ("fed", "fed"),
    "feel": ("felt", "felt"), "fight": ("fought", "fought"), "find": ("found", "found"), "fly": ("flew", "flown"),
    "forget": ("forgot", "forgotten"), "forgive": ("forgave", "forgiven"), "freeze": ("froze", "frozen"),
    "get": ("got", "gotten"), "give": ("gave", "given"), "go": ("went", "gone"), "grow": ("grew", "grown"),
    "hang": ("hung", "hung"), "have": ("had", "had"), "hear": ("heard", "heard"), "hide": ("hid", "hidden"),
    "hit": ("hit", "hit"), "hold": ("held", "held"), "hurt": ("hurt", "hurt"), "keep": ("kept", "kept"),
    "know": ("knew", "known"), "lead": ("led", "led"), "leave": ("left", "left"), "lend": ("lent", "lent"),
    "let": ("let", "let"), "lose": ("lost", "lost"), "make": ("made", "made"), "mean": ("meant", "meant"),
    "meet": ("met", "met"), "overcome": ("overcame", "overcome"), "pay": ("paid", "paid"), "put": ("put", "put"),
    "quit": ("quit", "quit"), "read": ("read", "read"), "ride": ("rode", "ridden"), "rise": ("rose", "risen"),
    "run": ("ran", "run"), "say": ("said", "said"), "see": ("saw", "seen"), "seek": ("sought", "sought"),
    "sell": ("sold", "sold"), "send": ("sent", "sent"), "set": ("set", "set"), "shake": ("shook", "shaken"),
    "shoot": ("shot", "shot"), "shut": ("shut", "shut"), "sing": ("sang", "sung"), "sit": ("sat", "sat"),
    "sleep": ("slept", "slept"), "speak": ("spoke", "spoken"), "spend": ("spent", "spent"),
    "split": ("split", "split"), "stand": ("stood", "stood"), "steal": ("stole", "stolen"),
    "stick": ("stuck", "stuck"), "sweep": ("swept", "swept"), "swim": ("swam", "swum"), "swing": ("swung", "swung"),
    "take": ("took", "taken"), "teach": ("taught", "taught"), "tear": ("tore", "torn"), "tell": ("told", "told"),
    "think": ("thought", "thought"), "throw": ("threw", "thrown"), "understand": ("understood", "understood"),
    "undo": ("undid", "undone"), "wake": ("woke", "woken"), "wear": ("wore", "worn"), "win": ("won", "won"),
    "withdraw": ("withdrew", "withdrawn"), "write": ("wrote", "written"), "babysit": ("babysat", "babysat"),
    "bear": ("bore", "borne"), "beat": ("beat", "beaten"), "bend": ("bent", "bent"), "bet": ("bet", "bet"),
    "bind": ("bound", "bound"), "bleed": ("bled", "bled"), "breed": ("bred", "bred"),
    "broadcast": ("broadcast", "broadcast"), "burst": ("burst", "burst"), "cling": ("clung", "clung"),
    "creep": ("crept", "crept"), "drink": ("drank", "drunk"), "flee": ("fled", "fled"),
    "forbid": ("forbade", "forbidden"), "grind": ("ground", "ground"), "kneel": ("knelt", "knelt"),
    "lay": ("laid", "laid"), "light": ("lit", "lit"), "mistake": ("mistook", "mistaken"),
    "outgrow": ("outgrew", "outgrown"), "overhear": ("overheard", "overheard"), "oversleep": ("overslept", "overslept"),
    "rebuild": ("rebuilt", "rebuilt"), "redo": ("redid", "redone"), "retake": ("retook", "retaken"),
    "rewrite": ("rewrote", "rewritten"), "ring": ("rang", "rung"), "shed": ("shed", "shed"),
    "shrink": ("shrank", "shrunk"), "sink": ("sank", "sunk"), "slide": ("slid", "slid"), "spin": ("spun", "spun"),
    "spit": ("spat", "spat"), "spread": ("spread", "spread"), "spring": ("sprang", "sprung"),
    "sting": ("stung", "stung"), "strike": ("struck", "struck"), "swear": ("swore", "sworn"),
    "swell": ("swelled", "swollen"), "upset": ("upset", "upset"), "weave": ("wove", "woven"),
    "weep": ("wept", "wept"), "wind": ("wound", "wound"),
}  # fmt: skip
"""Past and participle of verbs of daily life that do not take -ed, by their base form."""

IRREGULAR_THIRD: Final = {"have": "has", "be": "is", "do": "does", "go": "goes"}
"""The form after he or she, by the base form."""

_SHORT = re.compile(r"(?:[^aeiouy]|qu)*[aeiou][bdfgklmnprtvz]")
"""A verb of one syllable, with one vowel before one consonant, which is doubled before -ed and -ing."""

_DOUBLING: Final = frozenset(
    "admit allot cancel commit compel concur confer control debug defer deter dispel equip excel expel format incur"
    " infer input kidnap occur omit outfit overlap patrol permit prefer program propel rebel rebut recur refer regret"
    " repel submit transfer transmit unplug unzip upset begin forget reset offset output outrun rerun".split()
)
"""Longer verbs whose last letter is doubled, as they are stressed at their end, are compounds, or are British."""


def _stem(base: str) -> str:
    """Return the verb as it is before -ed and -ing: stopp, preferr, panick, work."""
    if base in _DOUBLING or _SHORT.fullmatch(base):
        return base + base[-1]
    return base + "k" if base.endswith("ic") else base


def third(base: str) -> str:
    """Return the form after he or she: work, works; study, studies."""
    if base in IRREGULAR_THIRD:
        return IRREGULAR_THIRD[base]
    if base.endswith("y") and base[-2:-1] not in "aeiou":
        return base[:-1] + "ies"
    return base + ("es" if base.endswith(("s", "sh", "ch", "x", "z")) else "s")


def gerund(base: str) -> str:
    """Return the -ing form: run, running; bake, baking."""
    if base.endswith("ie"):
        return base[:-2] + "ying"
    if base.endswith("e") and not base.endswith(("ee", "oe", "ye")) and len(base) > 2:
        return base[:-1] + "ing"
    return _stem(base) + "ing"


def past(base: str) -> str:
    """Return the simple past: go, went; plan, planned."""
    if base in IRREGULAR:
        return IRREGULAR[base][0]
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2:-1] not in "aeiou":
        return base[:-1] + "ied"
    return _stem(base) + "ed"


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
