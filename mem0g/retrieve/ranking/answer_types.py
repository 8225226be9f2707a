"""Whether a message has what a question asks for: a number, a time, a code, a reason, the name of a person or a place.

Messages about the same thing differ in it: "The bakery opened" fits "When does the bakery open?" as well as "they are
open from seven on Saturdays" does, which answers it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Final, Literal, Protocol

import numpy as np

from mem0g.retrieve.question.kinds import asks_for_a_time, asks_for_numbers
from mem0g.retrieve.ranking.name_words import LONGEST, words_of
from mem0g.text.english import KIN, MONTH, MONTHS, NUMBERS, ORDINALS, WEEKDAY_ABBREVIATIONS, WEEKDAYS
from mem0g.text.languages import word_set

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mem0g.retrieve.question.query import Question
    from mem0g.retrieve.ranking.proximity import Indices, Scores

AnswerType = Literal[
    "weekday", "hour", "code", "duration", "frequency", "age", "time", "price", "number", "colour", "reason", "person",
    "place", "name",
]  # fmt: skip

NAMED = 0.6
"""What a name counts where a person or a place is asked for, against 1 for the other types: many messages have one."""

_WEEKDAYS: Final = frozenset(
    (*WEEKDAYS, *(f"{each}s" for each in WEEKDAYS), *WEEKDAY_ABBREVIATIONS, "weds", "thurs")
) - frozenset(("sun", "sat", "wed")) | frozenset(
    "montag montags dienstag dienstags mittwoch mittwochs donnerstag donnerstags freitag freitags samstag samstags "
    "sonntag sonntags lunes martes miércoles jueves viernes sábado sábados domingo domingos lundi mardi mercredi jeudi "
    "vendredi samedi dimanche maandag dinsdag woensdag donderdag vrijdag zaterdag zondag".split()
)
_TIMES: Final = (
    _WEEKDAYS
    | frozenset((*MONTHS, *(each[:3] for each in MONTHS))) - frozenset(("may", "mar", "march"))
    | frozenset(
        "today tonight tomorrow yesterday ago weekend weekends week month year noon midnight morning mornings "
        "afternoon afternoons evening evenings nights o'clock summer winter autumn "
        "heute morgen gestern übermorgen woche monat jahr uhr januar februar märz juni juli oktober dezember "
        "hoy mañana ayer semana mes año enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre "
        "diciembre "
        "aujourd'hui demain hier semaine mois année janvier février avril mai juin juillet août septembre octobre "
        "novembre décembre "
        "vandaag gisteren week maand jaar januari februari maart mei augustus".split()
    )
)
"""Words for days, months and other times; not those that are mostly something else ("may")."""

_NUMBERS: Final = frozenset(NUMBERS[2:]) | frozenset(
    "thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty "
    "ninety hundred thousand million half dozen twice nothing none "
    "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreißig vierzig fünfzig hundert tausend halb "
    "dos tres cuatro cinco seis siete ocho nueve diez cien mil "
    "deux trois quatre cinq six sept huit neuf dix cent mille "
    "twee drie vijf zes zeven acht negen tien honderd duizend".split()
)
"""Words for numbers; not for one, which is an article and a pronoun as well."""

FULLY, PARTLY = 10, 6
"""How much of what is asked for a text has, as a whole number."""

_ITS_NAME = r"(?: (?:it|him|her|them|the \w+))?"
_NAMING: Final = re.compile(
    rf"\b(?:call(?:s|ed|ing)?{_ITS_NAME}|nam(?:ed|ing){_ITS_NAME}|names?(?:'s| is| are| was)|goes by|heißt|heiße|heißen"
    r"|hieß|genannt|nenn\w*|se llama\w*|s'appelle|heet)\b",
    re.IGNORECASE,
)
"""What says a name."""

_COLOURS: Final = frozenset(
    "red blue green yellow orange black white grey gray brown pink purple silver gold navy teal turquoise beige cream "
    "rot rote roten blau blaue blauen grün grüne grünen gelb gelbe schwarz schwarze weiß weiße grau braun lila rosa "
    "rojo roja azul verde amarillo negro negra blanco blanca gris marrón "
    "rouge bleu bleue vert verte jaune noir noire blanc blanche marron rood rode blauw blauwe groen groene geel zwart "
    "wit grijs bruin".split()
)
_KIN: Final = KIN | frozenset(
    "neighbour neighbor colleague dr mr mrs ms frau herr mutter vater mama papa schwester bruder oma opa tante onkel "
    "nachbar nachbarin freund freundin chef chefin kollege kollegin".split()
)

_NUMBER_WORDS = "|".join(sorted(_NUMBERS))
_NUMBER_WORD: Final = re.compile(rf"\b(?:{_NUMBER_WORDS})\b", re.IGNORECASE)
_ORDINALS = "|".join((*ORDINALS, "(?:thir|four|fif|six|seven|eigh|nine)teenth", "twentieth", "thirtieth"))
_DATED: Final = re.compile(
    r"\b(?:\d{1,2}(?:st|nd|rd|th|[:.]\d\d| ?[ap]m)|(?:19|20)\d\d)\b|\b\d{1,2}\.(?= ?[a-zä])|\b\d{1,2}\. ?\d{1,2}\."
    rf"|\b\d{{1,2}} (?:of )?(?:{MONTH})\b|\b(?:{MONTH}) \d{{1,2}}\b"
    rf"|\bthe (?:(?:twenty|thirty)-)?(?:{_ORDINALS})(?=(?: of\b| (?:{MONTH})\b|[.,;!?]|$))"
    r"|\b(?:de[rnm]|am|vom|zum|bis) \d{1,2}\.",
    re.IGNORECASE,
)
"""Days of the month and of the year, times of the day."""
_DIGIT: Final = re.compile(r"\d")
_UNITS = "st|nd|rd|th|euros?|pounds?|kg|km|people|%"
_PATTERNS: Final[dict[AnswerType, re.Pattern[str]]] = {
    "hour": re.compile(
        rf"\b\d{{1,2}}[:.h]\d\d\b|\b\d{{1,2}} ?(?:am|pm|uhr|h|o'?clock)\b|\bhalf (?:past )?(?:{_NUMBER_WORDS})\b"
        rf"|\bquarter (?:past|to)\b|\b(?:noon|midnight|mittags?|mitternacht|mediodía|midi)\b"
        rf"|\b(?:at|by|before|after|until|till|from|um|ab|gegen|bis|a las|à|om) (?:\d{{1,2}}|{_NUMBER_WORDS})\b"
        rf"(?! ?(?:{MONTH}|{_UNITS}))",
        re.IGNORECASE,
    ),
    "code": re.compile(r"(?<![\w.,#*-])(?=[\w#*-]*\d)[\w#*-]{4,}|\b[a-z]+(?:-[a-z0-9]+){2,}", re.IGNORECASE),
    "duration": re.compile(
        rf"(?:\d|\b(?:{_NUMBER_WORDS}|an?|few|couple of|ein(?:e[nr]?)?)) ?-?(?:s|secs?|seconds?|mins?|minutes?|h|hrs?"
        r"|hours?|days?|nights?|weeks?|months?|years?|sekunden?|minuten?|stunden?|tage?n?|nächte?|wochen?|monate?n?"
        r"|jahre?n?|horas?|días?|semanas?|mes(?:es)?|años?|heures?|jours?|semaines?|mois|ans?|uur|dagen|weken"
        r"|maanden|jaar)\b|\b\d+:\d\d\b",
        re.IGNORECASE,
    ),
    "price": re.compile(
        r"[$€£¥] ?\d|\b\d[\d.,]* ?(?:k\b|euros?\b|eur\b|[$€£¥]|quid\b|pounds?\b|dollars?\b|bucks\b|usd\b|chf\b|zł"
        r"|francs?\b|cents?\b|grand\b)|\b\d{2,}(?:[.,]\d+)?(?![\d:])\b",
        re.IGNORECASE,
    ),
    "frequency": re.compile(
        rf"\b(?:every|each|daily|weekly|monthly|yearly|hourly|once|twice|jede[nrms]?|täglich|wöchentlich|monatlich"
        rf"|cada|chaque|elke|iedere)\b|\b(?:\d+|{_NUMBER_WORDS}) (?:times|mal|veces|fois|keer)\b|\b\d+x\b"
        r"|\b(?:a|per|pro|par|die|im) (?:day|week|month|year|tag|woche|monat|jahr)\b",
        re.IGNORECASE,
    ),
    "age": re.compile(
        rf"\b(?:is|turns?|turned|turning|be|am|i'?m|aged?|he's|she's|ist|wird|bin|mit) (?:now |only |just |already "
        rf"|erst |schon |jetzt )?(?:\d{{1,3}}|{_NUMBER_WORDS})\b(?![:.]\d)|\b(?:\d{{1,3}}|{_NUMBER_WORDS})"
        r"[ -]?(?:years?|yrs?|months?|yo|jahre?|monate?|años|ans|jaar)\b|\b(?:born|geboren|nació|née?)\b"
        r"|\b\d{1,2}(?:st|nd|rd|th) birthday",
        re.IGNORECASE,
    ),
    "reason": re.compile(
        r"\b(?:because|(?:be)?cause|cos|cuz|coz|since|due to|so that|reason|weil|wegen|denn|damit|porque|parce|car"
        r"|omdat|want|too \w+|zu (?:viel|wenig|teuer|groß|klein|weit|laut|alt))\b",
        re.IGNORECASE,
    ),
}

_IN_A_WHILE: Final = re.compile(
    rf"\b(?:in|within|after|nach|dans|dentro de|binnen) \d*{_PATTERNS['duration'].pattern}", re.IGNORECASE
)
"""A time told by how far away it is: "in 12 days"."""

_ASKING: Final[tuple[tuple[AnswerType, str], ...]] = (
    (
        "weekday",
        r"\b(?:(?:what|which) days?|(?:what|which) weekdays?|weekday|wochentag\w*|welche[mnr]? tag\w*|qué día"
        r"|quel jour|welke dag)\b",
    ),
    (
        "code",
        r"\b(?:(?:pass|zip|post|door|entry|access|alarm|gate)?code|password|passcode|pin|combination"
        r"|(?:phone|mobile|telephone|tracking|flight) number|by phone|passwort|kennwort|\w*kombination|\w*code"
        r"|(?:telefon|handy)?nummer|contraseña|mot de passe|wachtwoord)\b",
    ),
    (
        "hour",
        r"\b(?:(?:what|which) (?:time|hour)|how late|um wie ?viel uhr|wie spät|qué hora|quelle heure|hoe laat)\b",
    ),
    ("duration", r"\b(?:how long|wie lange|cuánto tiempo|combien de temps|hoe lang)\b"),
    ("frequency", r"\b(?:how often|how frequently|wie oft|cada cuánto|hoe vaak)\b"),
    ("age", r"\b(?:how old|(?:what|which) age|wie alt|qué edad|quel âge|hoe oud)\b"),
    ("time", r"\b(?:datum|deadline|(?:what|which) (?:date|month|year))\b"),
    (
        "price",
        r"\bhow much\b.*\b(?:pay|paid|cost|spend|spent|rent|earn|charge|price|fee|worth|money|salary)\b"
        r"|^what (?:do|does|did)\b.*\bcosts?\b|^what(?: is|'s|s| are| was)\b.*\b(?:price|rent|fee|budget|salary)\b"
        r"|\bwie ?viel\b.*\b(?:zahl\w*|kost\w*|bezahl\w*|verdien\w*)\b|\bwas kostet\b|\bcuánto\b.*\b(?:pag|cuest)"
        r"|\bcombien\b.*\b(?:coût|pay)|\bhoeveel\b.*\b(?:kost|beta)",
    ),
    (
        "number",
        r"\b(?:how (?:tall|heavy|wide|deep|fast|high|hot|cold|big|large|far)"
        r"|(?:what|which) (?:size|floor|port|version|room|grade|score|mark|amount|weight|height|dose|percentage|gate"
        r"|platform|seat)"
        r"|wie (?:hoch|groß|schwer|breit|tief|schnell|warm|kalt|weit|teuer)"
        r"|welche[mnrs]? (?:größe|etage|stock|version|zimmer|note|betrag|gleis|platz|nummer|hausnummer))\b",
    ),
    ("colour", r"\b(?:colou?r|farbe|couleur|kleur)\b"),
    ("reason", r"^(?:why|warum|wieso|weshalb|por qué|pourquoi|waarom)\b|\breason\b|^what caused\b"),
    (
        "person",
        r"^(?:(?:with|to|from|for|by) )?(?:who|whom|whose)\b|^(?:mit |von |für )?(?:wer|wem|wen|wessen)\b"
        r"|^quiénes?\b|^qui\b|^wie(?= (?:is|heeft|gaat|was)\b)"
        r"|\bwhich (?:doctor|person|colleague|friend|teacher|neighbou?r)\b",
    ),
    (
        "place",
        r"^(?:where|wo|wohin|woher|dónde|adónde|où|waar)\b"
        r"|^(?:(?:in|to|from|at|on|nach|aus|en|dans|à) )?(?:what|which|welche[mnrs]?|qué|quelle?|welke)"
        r" (?:(?:part of )?(?:town|city)|country|hospital|street|place|village|stadt|straße|land|ort"
        r"|ciudad|país|ville|pays|stad)\b|\baddress\b|\badresse\b",
    ),
    ("name", r"\b(?:names?|called|brand|company|firm|heißt|heißen|marke|firma|llama[nr]?|appelle|heet|merk)\b"),
)
"""What asks for an answer of each type, in this order; see ``answer_type`` for the rest."""

_ASKED: Final = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _ASKING)

_NO_NAMES: Final = _TIMES | frozenset(("i'm", "i've", "i'll", "i'd", "ok", "may", "march", "tv"))


@lru_cache(maxsize=4096)
def answer_type(question: str) -> AnswerType | None:
    """Return what the answer to a question has to have, None if that cannot be told."""
    text = " ".join(question[:LONGEST].replace("’", "'").split())
    found = next((kind for kind, asking in _ASKED if asking.search(text)), None)
    if found in (None, "person", "place", "reason", "name"):
        if asks_for_a_time(text):
            return "time"
        if asks_for_numbers(text):
            return "number"
    return found


def has(kind: AnswerType, text: str) -> bool:
    """Whether a text has what is asked for; the numbers of a date are numbers as well.

    False for a person and a place: names are known by other texts, see ``typed``.
    """
    text = text[:LONGEST]
    if kind in _PATTERNS:
        return _PATTERNS[kind].search(text) is not None
    if kind == "number":
        return _DIGIT.search(text) is not None or _NUMBER_WORD.search(text) is not None
    if kind == "time":
        told = not _TIMES.isdisjoint(word_set(text)) or _DATED.search(text) is not None
        return told or _IN_A_WHILE.search(text) is not None
    if kind == "weekday":
        return not _WEEKDAYS.isdisjoint(word_set(text))
    return kind == "colour" and not _COLOURS.isdisjoint(word_set(text))


def degree(kind: AnswerType, text: str) -> int:
    """Return FULLY if a text has what is asked for, PARTLY if only something like it, else 0.

    Like a weekday is a date, like an age and a frequency are a number and a duration, and like a count or a measure are
    the numbers of a date.
    """
    if kind == "number":
        left = _PATTERNS["hour"].sub(" ", _DATED.sub(" ", text[:LONGEST]))
        return FULLY if has(kind, left) else PARTLY * has(kind, text)
    alike = _ALIKE.get(kind)
    return FULLY if has(kind, text) else PARTLY * (alike is not None and has(alike, text))


_ALIKE: Final[dict[AnswerType, AnswerType]] = {"weekday": "time", "age": "number", "frequency": "duration"}


class Answers(Protocol):
    """Protocol of what may answer a question: see CandidateSet."""

    question: Question

    def __len__(self) -> int: ...

    @property
    def asked(self) -> frozenset[str]:
        """The speakers whom the question is about."""
        ...

    def noted(self, name: str, find: Callable[[str], int]) -> Indices:
        """Return what ``find`` finds in each message by its text alone."""
        ...

    def noted_of_facts(self, name: str, find: Callable[[str], int]) -> Indices:
        """Return what ``find`` finds in the text of each fact."""
        ...

    def having_names(self, no_names: Iterable[str], names: Iterable[str]) -> NDArray[np.bool_]:
        """Return which candidates have a name: see ``NameWords``."""
        ...


def typed(candidates: Answers) -> Scores:
    """Return how much each candidate has of what the question asks for, 0 to 1: see ``degree``; of names NAMED.

    A name is a word that is written with a capital within a sentence of any of the candidates; what says a name
    ("called it Rex") has it in full where a name is asked for. A fact has a time even where its text has none.
    """
    kind = answer_type(candidates.question.text)
    if kind is None:
        return np.zeros(len(candidates))
    if kind in ("person", "place", "name"):
        no_names = words_of(candidates.question.text).union(_NO_NAMES, (each.lower() for each in candidates.asked))
        found = candidates.having_names(no_names, _KIN if kind == "person" else ()) * np.float64(NAMED)
        if kind == "name":
            found = np.maximum(found, _of_all(candidates, kind, _says_a_name))
        return found
    if kind == "time":
        messages = candidates.noted(kind, partial(degree, kind))
        return np.concatenate([np.full(len(candidates) - len(messages), FULLY), messages]) / FULLY
    return _of_all(candidates, kind, partial(degree, kind)) / FULLY


def _of_all(candidates: Answers, name: str, find: Callable[[str], int]) -> Scores:
    """Return what ``find`` finds in the text of each candidate."""
    return np.concatenate([candidates.noted_of_facts(name, find), candidates.noted(name, find)]).astype(np.float64)


def _says_a_name(text: str) -> bool:
    return _NAMING.search(text[:LONGEST]) is not None
