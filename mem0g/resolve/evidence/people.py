"""Whether two names can be those of one person: parts of a full name, initials, titles, nicknames, in Chinese too."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib import resources
from typing import Final

from mem0g.resolve.evidence.spelling import is_misspelled, plain
from mem0g.resolve.names import ParsedName
from mem0g.text.english import AMBIGUOUS_NAME_PARTICLES, NAME_PARTICLES
from mem0g.text.scripts import HAN

_GENDERS: Final = {
    "mr": "m", "mister": "m", "sir": "m", "lord": "m", "king": "m", "prince": "m", "emperor": "m",
    "mrs": "f", "ms": "f", "miss": "f", "madam": "f", "lady": "f", "dame": "f", "queen": "f", "princess": "f",
    "empress": "f",
}  # fmt: skip
_TITLES: Final = frozenset(
    "dr doctor prof professor president chancellor premier senator governor mayor minister ambassador judge justice "
    "general colonel col captain capt major lieutenant lt sergeant sgt corporal private admiral commander marshal "
    "officer detective inspector sheriff pope saint st bishop archbishop cardinal rev reverend pastor rabbi imam "
    "sheikh sultan count countess duchess baron baroness coach chef secretary representative"
    .split()
) | frozenset(_GENDERS)  # fmt: skip
_FAMILY_TITLES: Final = frozenset("mr mister mrs ms miss madam".split())
_GENERATIONS: Final = frozenset("jr sr junior senior i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi".split())
_DEGREES: Final = frozenset("phd md esq mba ma ba kcmg cbe obe mbe mp".split())
_PARTICLES: Final = NAME_PARTICLES | AMBIGUOUS_NAME_PARTICLES | frozenset("la le ten zum of the abu st".split())
"""Small words of family names (Joachim von der Esch), which are no name by themselves."""
_AND: Final = "and"
_MAX_PARTS: Final = 8
"""Words of a full name at most; a longer text is a description."""
_HAN: Final = re.compile(f"[{HAN}]+")
_CHINESE_GENDERS: Final = {"先生": "m", "小姐": "f", "女士": "f", "太太": "f", "夫人": "f"}
_CHINESE_TITLE: Final = f"(?:{'|'.join(_CHINESE_GENDERS)}|博士|医生|醫生|教授|老师|老師|经理|經理|主任|警官|同学|同學)"
_CHINESE_TITLED: Final = re.compile(f"(?P<name>.*?){_CHINESE_TITLE}")
_CHINESE_FAMILIAR: Final = re.compile("[阿小老](?P<name>[^兄弟姐妹哥师師板公婆妈媽爸姨孩头頭子])")
"""小王 and 阿乔; not 老兄 and 阿姨, which may be anybody."""
_CHINESE_COMMON: Final = frozenset("我你您他她它谁誰咱俺人男女老小大家")
"""Characters that are not short for a name that begins with them: 他 and 他们, 女 and 女儿."""
_CHINESE_FULL_NAME: Final = 3
"""Characters of a family name and a given name, as a rule."""


def is_part_of_person(short: ParsedName, long: ParsedName) -> bool:
    """Whether ``short`` is a shorter form of the full name ``long``.

    Caroline and Caroline Miller, Lars T. Berg and Lars Berg, Mr Berg and Lars Berg; not Anna Berg and Anna Moe.
    """
    if short.roles or long.roles or _AND in long.words:
        return False
    parts, whole = parts_of(short), parts_of(long)
    if _is_chinese_part(short, long):
        return True
    if parts == whole:  # they differ in the title only: King Louie and Louie; but Mrs Berg may be the mother of Berg
        return generation(short) == generation(long) and _FAMILY_TITLES.isdisjoint((*short.words, *long.words))
    if not parts or len(parts) > len(whole) or len(whole) < 2 or len(whole) > _MAX_PARTS:
        return False
    if len(parts) == 1:
        return _is_one_part(parts[0], whole)
    return _is_subset_in_order(parts, whole)


def is_bare_family_name(short: ParsedName, long: ParsedName) -> bool:
    """Whether ``short`` is the family name of ``long`` alone: Berg of Lars Berg; not Lars, and not Mr Berg."""
    parts, whole = parts_of(short), parts_of(long)
    return len(parts) == len(short.words) == 1 and len(whole) > 1 and parts[0] == whole[-1] != whole[0]


def is_nickname(short: ParsedName, long: ParsedName) -> bool:
    """Whether ``short`` has a nickname for the given name of ``long``: Liz and Elizabeth Moe, Bob Berg and Robert Berg.

    Not Joanna and Jo Berg: Jo may be short for another name.
    """
    parts, whole = parts_of(short), parts_of(long)
    if not parts or not whole or short.roles or long.roles or not _are_one_given_name(parts[0], whole[0]):
        return False
    if len(parts) == len(whole) == 1 or (len(parts) > 1 and len(whole) > 1):
        return parts[-1] == whole[-1] or len(parts) == 1
    return len(parts) == 1 and whole[0] in _nicknames().get(parts[0], ())


def given_name_forms(given: str) -> frozenset[str]:
    """Return the other forms of a given name: 'elizabeth' for 'liz', 'liz' and 'beth' for 'elizabeth'."""
    return _nicknames().get(given, frozenset()) | _full_names().get(given, frozenset())


def are_two_people(one: ParsedName, two: ParsedName) -> bool:
    """Whether two full names share a part and differ in another: Anna Berg and Anna Moe, Bush Sr. and Bush Jr."""
    if generation(one) and generation(two) and generation(one) != generation(two):
        return True
    parts, others = set(parts_of(one)), set(parts_of(two))
    if not (parts & others and parts - others and others - parts) or is_misspelled(one, two):
        return False
    return not is_part_of_person(*by_length(one, two)) and not is_nickname(one, two) and not is_nickname(two, one)


def genders(name: ParsedName) -> set[str]:
    """Return the genders that the titles in a name imply: "m" for Mr, "f" for Mrs."""
    chinese = {gender for title, gender in _CHINESE_GENDERS.items() if name.text.endswith(title)}
    return chinese | {_GENDERS[word] for word in name.words if word in _GENDERS}


def generation(name: ParsedName) -> str:
    """Return the suffix that names a generation: 'jr' for 'John Berg Jr.', "" for a name without one."""
    last = plain(name.words[-1]).replace("junior", "jr").replace("senior", "sr")
    return last if len(name.words) > 1 and last in _GENERATIONS else ""


def by_length(one: ParsedName, two: ParsedName) -> tuple[ParsedName, ParsedName]:
    """Return the shorter name, then the longer; titles do not count."""
    first, second = ((len(parts_of(name)), len(name.words), name.key) for name in (one, two))
    return (two, one) if second < first else (one, two)


@lru_cache(maxsize=65536)
def parts_of(name: ParsedName) -> tuple[str, ...]:
    """Return the words of a person's name without accents, leading titles, and trailing generation and degrees."""
    words = [part for word in name.words for part in re.split("[·・•‧]", plain(word)) if part]
    while len(words) > 1 and words[0].rstrip(".") in _TITLES:
        words = words[1:]
    while len(words) > 1 and words[-1].rstrip(".") in _GENERATIONS | _DEGREES:
        words = words[:-1]
    return tuple(words)


def _is_one_part(part: str, whole: tuple[str, ...]) -> bool:
    """Whether it is the given or the family name; of three parts the middle one counts too (Gregorio Pacheco Leyes)."""
    if len(part) < 2 or part in _PARTICLES:
        return False
    return part in (whole[0], whole[-1]) or (len(whole) == 3 and part == whole[1])


def _is_subset_in_order(parts: tuple[str, ...], whole: tuple[str, ...]) -> bool:
    """Whether ``parts`` are some of the full name, in order: Lars Berg or L. T. Berg of Lars Tor Berg."""
    rest = iter(whole)
    in_order = all(any(_is_same_or_initial(part, word) for word in rest) for part in parts)
    return in_order and (parts[-1] == whole[-1] or whole[: len(parts)] == parts)


def _is_same_or_initial(part: str, word: str) -> bool:
    return part == word or (min(len(part), len(word)) == 1 and part[0] == word[0])


def _are_one_given_name(one: str, two: str) -> bool:
    names = _nicknames()
    if one == two:
        return False
    if two in names.get(one, ()) or one in names.get(two, ()):
        return True
    return one[:2] == two[:2] and bool(names.get(one, frozenset()) & names.get(two, frozenset()))


@cache
def _full_names() -> dict[str, frozenset[str]]:
    """Return the short forms of each given name."""
    found: dict[str, set[str]] = {}
    for form, names in _nicknames().items():
        for name in names:
            found.setdefault(name, set()).add(form)
    return {name: frozenset(forms) for name, forms in found.items()}


@cache
def _nicknames() -> dict[str, frozenset[str]]:
    """Return the given names that each short form may stand for."""
    found: dict[str, set[str]] = {}
    text = resources.files(__package__).joinpath("nicknames.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            names, forms = (part.split(", ") for part in line.split(" = "))
            for form in forms:
                found.setdefault(form, set()).update(names)
    return {form: frozenset(names) for form, names in found.items()}


def _is_chinese_part(one: ParsedName, two: ParsedName) -> bool:
    """Whether one is short for the other: 小明, 王先生 or 小王 for 王小明. `parts_of` is for 瑞秋·格林."""
    return _is_part_in_han(one, two) or _is_part_in_han(two, one)


def _is_part_in_han(short: ParsedName, long: ParsedName) -> bool:
    part, whole = "".join(short.words), "".join(long.words)
    if part == whole or not (_HAN.fullmatch(part) and _HAN.match(whole)):
        return False
    last = parts_of(long)[-1]
    if _CHINESE_TITLED.fullmatch(whole) or (len(whole) > _CHINESE_FULL_NAME and last == whole):
        return False
    if titled := _CHINESE_TITLED.fullmatch(part):
        return bool(titled["name"]) and last.startswith(titled["name"])
    familiar = _CHINESE_FAMILIAR.fullmatch(part)
    begins = familiar["name"] if familiar else part if len(part) == 1 and part not in _CHINESE_COMMON else ""
    is_given_name = len(part) == 2 and len(whole) == _CHINESE_FULL_NAME and whole.endswith(part)
    return is_given_name or bool(begins and last == whole and whole.startswith(begins))
