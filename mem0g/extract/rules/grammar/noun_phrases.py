"""Noun phrases: where one ends and its name: "a really cute golden retriever and I …" is "golden retriever"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import takewhile

from mem0g.extract.rules.grammar.kin import KIN
from mem0g.extract.rules.grammar.nouns import kind_of
from mem0g.extract.rules.grammar.people import Turn, possessive
from mem0g.extract.rules.grammar.verb_phrases import PAST
from mem0g.text.english import ORDINALS

MAX_WORDS = 8
"""Words of a noun phrase; a longer one is a clause."""

NO_NOUNS = _STOP = frozenset(
    """
    because cause which that who whom whose when while so if as than where before after until till though although but
    or nor to for with in on at from by about into since during together again too right now every each once twice is
    was are were am be been has have had will would could can do does did I we he she they it you me us him her them
    this these there here without like through over around near under up down off out across between against despite
    instead along yet soon ever today tomorrow yesterday tonight anymore alone myself ourselves himself herself almost
    just only even still also back away abroad lately recently first whenever whatever how what why named called not
    never always usually often sometimes then later earlier ago next last daily weekly regularly professionally anyway
    though lol haha btw than based harder eventually gradually afterward afterwards
    altogether full-time part-time outside inside nearby everywhere upon towards toward among via
    """.split()
)
_DETERMINERS = frozenset("a an the some any another several our my its both".split())
_EMPTY = frozenset(
    """
    great awesome amazing new cute beautiful lovely nice cool fun super really very so such quite pretty adorable
    wonderful fantastic incredible gorgeous perfect good big huge little tiny small whole entire own really super-cute
    favorite favourite best exciting brand delicious yummy tasty stunning interesting special certain
    few couple actual crazy different various many more most lots few awesome-looking sweet rewarding bunch
    brand-new unforgettable memorable inspiring neat simple actual current couple old
    """.split()
)
_VAGUE = frozenset(
    """
    it that this these those them one ones lot lots bit something anything everything nothing someone somebody anyone
    everyone stuff thing things way ways fun time times moment moments place places chance idea ideas point part fact
    kind sort some more much same others other another all both each rest while look day days week weeks year years
    month months step steps break progress sense care help none him her me us you who what how why where mess plenty
    few couple number amount reason reasons matter mood mind heart lot list end start beginning result results good
    second seconds minute minutes hour hours
    bad best better job deal issue issues problem problems mistake difference decision effort attention hand weekend
    morning evening night success opportunity opportunities experience experiences memory memories blast ton tons
    feeling feelings support advice love joy hope strength courage life world truth action change changes shape people
    person folks guy guys man woman group side space spot area option options goal goals dream dreams passion
    inspiration happiness comfort peace message news story stories pic pics picture pictures photo photos update
    updates plan plans word words impact journey challenge challenges confidence vibe vibes back track away here there
    home such really well hard inspired involved started ready stuck lost used skills skill project projects work
    stage level piece pieces attempt luck setback setbacks
    """.split()
)
_UNNAMED = frozenset("it one ones something anything everything someone stuff lot lots bit thing things".split())
_VERBS = frozenset(
    """
    start make help create build get give find explore learn improve meet write take keep spread bring become feel
    raise inspire connect support encourage see share enjoy try develop grow reach expand increase
    """.split()
)
"""Verbs that after "and" begin another predicate, not another noun phrase."""
_WITH_ADJECTIVE = frozenset("project projects work group story stories news skills plan message".split())
_FOREIGN = frozenset("his her their your its this that these those no what which whose neither either".split())
_LY_NOUNS = frozenset("family assembly jelly fly lily belly bully monopoly anomaly ally italy".split())
_ORDINALS = frozenset("first last next".split())
_DEICTIC = frozenset("this that these those".split())
_ALONE = frozenset(
    """
    hiking running swimming reading writing painting drawing cooking baking gardening flying dancing singing
    camping fishing skiing surfing cycling biking climbing traveling travelling gaming acting photography knitting
    sewing sculpting volunteering counseling coaching teaching programming coding jogging skating boxing bowling
    kayaking sailing streaming storytelling woodworking weightlifting yoga wedding training journaling meditating
    skateboarding snowboarding smoking vaping knitting stargazing birdwatching crafting exercising exploring
    sightseeing shopping mentoring
    """.split()
)
_THIN_GERUNDS = frozenset("being having seeing hearing knowing getting doing trying feeling thinking making".split())
_NO_GERUNDS = frozenset("evening morning ceiling clothing string spring wedding thing king ring".split())
_HIS_VERBS = frozenset(
    """
    acts coaches dances does draws fishes goes has helps is knits lives loves likes makes paints plays reads rides
    runs sings skis speaks studies swims takes teaches trains volunteers wants works writes
    """.split()
)
_GERUND_LINKS = frozenset("with to on about in for at into up around over through".split())
_PROPER = re.compile(r"^[A-ZÀ-ÖØ-Þ0-9\"]")
_ORDINAL = re.compile(rf"(?:{'|'.join(ORDINALS[:7])}|next|last|latest)$")
_VERBAL = re.compile(r" (?:come true|play|grow|work|happen|happy|better|safe|thrive|shine|succeed|wrong|ready|done)$")
_POINTS = re.compile(r"(?:to|with|for|about|at|on|of|in|by) (?:them|it|him|her|this|that|those|these)\b")
"""A preposition and a pronoun, after which a gerund is about something named elsewhere: "talking to them"."""
_PARTITIVE = re.compile(
    r"(?:(?<=, )|(?<=and ))(?:also )?(?:an? (?:little |tiny )?bit of|some|a little|lots of|a lot of) (?=[a-z])"
)
"""Words for how much of the next item of a list."""
_TITLE = re.compile(r'"([^"]{2,60})"')
_PLACEHOLDER = "\u27e6"
_LIST_ITEMS = 4


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """``name`` is the object of a triple, ``words`` are those of the message, ``length`` is how many words it took."""

    name: str
    words: str
    length: int


def noun_phrases(rest: str, turn: Turn, *, gerunds: bool = True) -> tuple[NounPhrase, ...]:
    """Return the noun phrases that ``rest`` begins with: two for "hiking and painting", none if it names nothing."""
    if title := _TITLE.match(rest):
        return (NounPhrase(title[1], title[0], len(title[0].split())),)
    words = rest.split()
    size = _length(words, gerunds)
    taken = [word.rstrip(",.!;:") for word in words[:size]]
    if not taken or (_is_gerund(taken[0].lower()) and _POINTS.match(" ".join(words[size:]))):
        return ()
    items = _items(words[:size])
    if not 0 < len(items) <= _LIST_ITEMS:
        return ()
    shown = " ".join(words[:size]).rstrip(",.!;:")
    named = [tidy(item, turn) for item in items]
    if named[0] is None:
        return ()
    if None in named:
        return (NounPhrase(named[0], items[0], len(items[0].split())),)
    return tuple(NounPhrase(str(name), shown, size) for name in named)


def _length(words: list[str], gerunds: bool) -> int:
    """Return how many of ``words`` belong to the noun phrase they begin with."""
    size = 0
    for index, word in enumerate(words):
        bare = word.strip("\"',.!;:").lower()
        if _ends(words, index, bare, gerunds):
            break
        size = index + 1
        if word[-1] in ".!;:" or (word[-1] == "," and not _listed(words, index)):
            break
    while size and words[size - 1].lower().strip(",") in {"and", "&", "of", "the", "a", "my"}:
        size -= 1
    return size


def _ends(words: list[str], index: int, bare: str, gerunds: bool) -> bool:
    word = words[index]
    if word.startswith((_PLACEHOLDER, "(")) or word in {"-", "–", "—", "/"}:
        return True
    if bare in {"and", "&", "plus"}:
        return index == 0 or not _joins(words, index)
    if index == 1 and bare in _ORDINALS and words[0].lower() in _DETERMINERS:
        return False
    if index and (bare == "going" or (bare in {"starting", "beginning", "ending"} and _dated(words, index + 1))):
        return True
    if bare in {"more", "less", "better"} and words[index + 1 : index + 2] == ["than"]:
        return True
    if index and bare in _STOP:
        if bare not in {"i", "we"} and _PROPER.match(word) and _PROPER.match(words[index - 1]) and bare.isalpha():
            return False  # within a title: "Spirited Away"
        return not (_within_name(words, index) or (gerunds and _linked(words, index, bare)))
    if index and bare.endswith("ly") and not _PROPER.match(word) and bare not in _LY_NOUNS:
        return index + 1 == len(words) or bare != word or words[index + 1].strip(",.").lower() in _STOP
    return (not index and bare in _STOP and bare not in _DEICTIC and not _PROPER.match(word)) or (
        index > 0 and bare in PAST and bare not in {"used", "cut", "set", "read", "left"}
    )


def _dated(words: list[str], index: int) -> bool:
    """Whether a date follows: "a class starting in January"."""
    return index >= len(words) or words[index].startswith(_PLACEHOLDER) or words[index] in _GERUND_LINKS


def _within_name(words: list[str], index: int) -> bool:
    """Whether the preposition is inside a proper name: "Museum for Modern Art"."""
    return (
        index + 1 < len(words)
        and words[index].islower()
        and words[index] in {"for", "in", "on", "at", "to", "with", "from"}
        and bool(_PROPER.match(words[index + 1]))
        and words[index - 1][0] == '"' != words[index - 1][-1]
    )


def _linked(words: list[str], index: int, bare: str) -> bool:
    """Whether the preposition belongs to the gerund that begins the phrase: "spending time with my family"."""
    first = words[0].lower()
    if bare not in _GERUND_LINKS or not _open_gerund(first) or index + 1 >= len(words):
        return False
    following = words[index + 1].lower().strip(",.!")
    return following not in _STOP - _GERUND_LINKS and (index <= 2 or first in {"spending", "giving", "hanging"})


def _open_gerund(word: str) -> bool:
    """Whether it is a gerund that needs an object: "spending", not "hiking"."""
    return _is_gerund(word) and word not in _ALONE


def _is_gerund(word: str) -> bool:
    return word.endswith("ing") and len(word) > 4 and word not in _NO_GERUNDS | _UNNAMED


def _joins(words: list[str], index: int) -> bool:
    """Whether "and" at ``index`` joins two noun phrases rather than two clauses."""
    if index + 1 >= len(words):
        return False
    after = words[index + 1].strip("\"',.!").lower()
    if (
        after in _STOP | {"one", "none"}
        or after in _VERBS
        or after in PAST
        or after.endswith("ed")
        or after in _FOREIGN
    ):
        return False
    tail = " ".join(words[index + 1 :]).split(_PLACEHOLDER)[0].split()
    size = next((i for i, word in enumerate(tail) if word.strip(",.!").lower() in _STOP), len(tail))
    if after in _HIS_VERBS and words[0].lower() in {"the", "a", "an"}:  # "plays the cello and sings"
        return False
    verbal = words[0].lower().endswith("ing")
    if verbal != after.endswith("ing") and not _PROPER.match(words[index + 1]):
        return after in _DETERMINERS and not verbal
    return 0 < size <= 4


def _listed(words: list[str], index: int) -> bool:
    """Whether the comma after ``words[index]`` is one of a list that ends in "and"."""
    following = [word.strip('"').lower() for word in words[index + 1 : index + 10]]
    joint = next((i for i, word in enumerate(following) if word in {"and", "&"}), None)
    if joint is None:
        return False
    if joint == 0:  # the comma before "and", which a list has after another one
        return any(word.endswith(",") for word in words[:index]) and _is_last_item(words[index + 2 :])
    between = following[:joint]
    if any(word.rstrip(",") in _STOP - {"my"} or word.rstrip(",") in PAST for word in between):
        return False
    pieces = " ".join(between).split(", ")
    return all(len(piece.split()) <= 3 for piece in pieces) and _joins(words, index + 1 + joint)


def _is_last_item(words: list[str]) -> bool:
    """Whether a clause ends soon after the last "and" of a list: no other clause begins there."""
    item = list(takewhile(lambda word: word.lower() not in _STOP and not word.startswith(_PLACEHOLDER), words))
    clause = item[1:] and item[0][0].isupper() and item[1][0].islower()  # ", and Ben likes juice"
    return 0 < len(item) <= 3 and not clause and item[0].lower() not in _VERBS | PAST | _FOREIGN


def _items(words: list[str]) -> list[str]:
    text = _PARTITIVE.sub("", " ".join(words).rstrip(",.!;:"))
    if text.lower() in {"mac and cheese", "rock and roll", "bed and breakfast", "arts and crafts", "trial and error"}:
        return [text]
    joined = re.search(r"\b[A-Z][\w'.]* (?:and|&) (?:the |a )?[A-Z]", text)
    if joined and '"' not in text and "," not in text and len(words) > 4:
        return [text]
    if re.fullmatch(r"[^,]* of [\w-]+ (?:and|&) [\w-]+", text):
        return [text]
    modified = re.fullmatch(r"(?:some )?([\w-]+) (?:and|&) ([\w-]+(?: [\w-]+)+)", text)
    if (
        modified
        and not re.match(r"(?:an?|the|my|our|some|\w+ing) ", modified[2])
        and not text.split()[0].endswith("ing")
    ):
        return [text]
    return [item for item in re.split(r",? (?:and|&|plus) |, ", text) if item]


_FIXED = frozenset({"small talk", "big data", "small business", "old age", "new age", "good manners"})
"""Phrases of which the adjective is no praise."""


def tidy(words: str, turn: Turn) -> str | None:
    """Return a noun phrase without article and praise and with its owner by name; None if it is unspecific."""
    tokens = words.replace('"', "").split()
    owner = ""
    if " ".join(tokens).lower() in _FIXED:
        return " ".join(tokens)
    if len(tokens) == 1 and tokens[0].endswith("ly") and tokens[0].lower() not in _LY_NOUNS and tokens[0].islower():
        return None  # an adverb
    if not tokens or tokens[0].lower() in _FOREIGN or any(_PLACEHOLDER in token for token in tokens):
        return None
    while tokens and (tokens[0].lower() in _DETERMINERS | _EMPTY) and not _title(words, tokens):
        if tokens[0].lower() in {"my", "our"} and not _ORDINAL.match(" ".join(tokens[1:2])):
            owner = possessive(turn.speaker) + " "
        tokens = tokens[1:]
        if tokens[:1] == ["of"]:
            tokens = tokens[1:]
    if tokens and tokens[-1].lower() == "online":
        tokens = tokens[:-1]
    if not tokens or len(tokens) > MAX_WORDS or not _is_specific(tokens):
        return None
    name = " ".join(token for token in tokens if token.lower() not in {"really", "super", "very"})
    name = re.sub(r"\b(?:my|our)\b", possessive(turn.speaker), name)
    if re.search(r"\b(?:yours?|hers|his|her|theirs?|its|mine|ours|it|them|this|that|I|we|you)\b", name):
        return None
    return (owner + name).strip("',.!?-:;*~ ") or None


def _title(words: str, tokens: list[str]) -> bool:
    """Whether the words are a title in quotes or capitals, which includes its article."""
    return words.startswith('"') or (len(tokens) > 1 and tokens[0][0].isupper() and tokens[0].lower() != "my")


def _is_specific(tokens: list[str]) -> bool:
    last, first = tokens[-1].lower().strip("'.,!?"), tokens[0].lower()
    if len(tokens) > 1 and _is_gerund(first) and last not in _STOP | _UNNAMED and tokens[1].lower() not in _UNNAMED:
        return first not in _THIN_GERUNDS or last not in _VAGUE | _EMPTY
    if last in _VAGUE and not (len(tokens) > 1 and (_PROPER.match(tokens[-1]) or last in _WITH_ADJECTIVE)):
        return False
    if (
        (first in _THIN_GERUNDS and len(tokens) == 1)
        or (last in _STOP and not (len(tokens) > 1 and _PROPER.match(tokens[-1])))
        or last in _EMPTY
        or not re.search(r"[^\W\d_]{2}", " ".join(tokens))
    ):
        return False
    if (
        first in _UNNAMED
        or (first in _THIN_GERUNDS and tokens[1].lower() in _UNNAMED)
        or first == "time"
        or _VERBAL.search(" ".join(tokens))
    ):
        return False
    head = " ".join(tokens).lower().split(" of ")[0].split()[-1]
    title = len(tokens) > 1 and all(map(_PROPER.match, tokens))
    return (title or head not in _VAGUE or head in _WITH_ADJECTIVE) and not (
        _open_gerund(first) and len(tokens) == 1 and not kind_of(first)
    )


_NAME_IN_LIST = re.compile(
    r"(?:the )?((?!(?:I|My|We|The)\b)[A-ZÀ-ÖØ-Þ][\w'.-]*"
    r"(?: (?:(?:of|de|la|le|el|los|das|do|am|the) )?[A-ZÀ-ÖØ-Þ][\w'.-]*)*)"
)
_PLACE = re.compile(
    r"(?:the )?((?:[A-ZÀ-ÖØ-Þ][\w'.-]*|St\.)(?: (?:(?:of|de|la|le|el|los|das|do|am|upon|the) )?[A-ZÀ-ÖØ-Þ][\w'.-]*)*"
    r"(?:, [A-ZÀ-ÖØ-Þ][\w'-]+(?: [A-ZÀ-ÖØ-Þ][\w'-]+)*(?=[ ,.!]|$))?)"
)


_NO_FURTHER_VERB = re.compile(
    r"(?=$|[.,;:!)]|\s*\u27e6| (?:\u27e6|and\b|with\b|for\b|in\b|on\b|at\b|by\b|as\b|before\b|after\b"
    r"|because\b|but\b|when\b|so\b|too\b|together\b|this\b|next\b|last\b))"
)
_LINK = re.compile(r",? (?:and|&) (?:then |also )?|, ")
_WITH_AND = re.compile(r"Bosnia and Herzegovina|Trinidad and Tobago|Antigua and Barbuda|Saint Kitts and Nevis")


def propers(rest: str) -> tuple[NounPhrase, ...]:
    """Return the proper names of the list that ``rest`` begins with: three for "Berlin, Vienna and Zurich".

    "Portland, Oregon" is one, as no "and" follows.
    """
    if match := _WITH_AND.match(rest):
        return (NounPhrase(match[0], match[0], len(match[0].split())),)
    names, end = [], 0
    while match := _NAME_IN_LIST.match(rest, end):
        names.append(match[1].rstrip(".'-"))
        end, link = match.end(), _LINK.match(rest, match.end())
        if link is None or not _NAME_IN_LIST.match(rest, link.end()):
            break
        end = link.end()
    listed = len(names) > 1 and re.search(r" (?:and|&) ", rest[:end]) and _NO_FURTHER_VERB.match(rest, end)
    if not listed or len(names) > _LIST_ITEMS or any(name.endswith("'s") or name.lower() in KIN for name in names):
        found = proper(rest)
        return (found,) if found else ()
    words = rest[:end]
    return tuple(NounPhrase(name, words, len(words.split())) for name in names)


def proper(rest: str) -> NounPhrase | None:
    """Return the proper name that ``rest`` begins with: "Portland, Oregon", "the University of Oslo"."""
    match = _PLACE.match(rest)
    if match is None or match[1] == "I" or match[1].lower() in KIN:
        return None
    name = match[1].rstrip(".,'-")
    if name.endswith("'s") or name.split(",")[0] in {"I", "We", "My"}:
        return None
    return NounPhrase(name, match[0].rstrip(".,'-"), len(match[0].split()))
