"""Readers of objects that are words of a closed list or a number: a language, an age, an amount.

Most of these are values and no things: literals.
"""

from __future__ import annotations

import re
from dataclasses import replace

from mem0g.extract.rules.grammar.nouns import LANGUAGES, NATIONS
from mem0g.extract.rules.grammar.people import FULL_NAME, Turn
from mem0g.extract.rules.grammar.referents import Reader, Referent
from mem0g.model import LITERAL
from mem0g.text.english import DOSE_UNITS, NUMBERS, WEEKDAYS
from mem0g.text.verbs import gerund

_AGES = (
    "(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)"
    f"(?:[- ](?:{'|'.join(NUMBERS[1:10])}))?"
)
_BODY = (
    "ankle|leg|arm|wrist|foot|knee|back|shoulder|finger|toe|rib|ribs|hip|hand|elbow|nose|collarbone|jaw|neck|thumb"
    "|pinky|tooth|tailbone|shin|kneecap|pelvis|skull|cheekbone"
)
_ABILITIES = "swim|ski|skate|ice skate|ride a (?:bike|horse)|whistle|sew|knit|read music"
_MARITAL = "single|married|divorced|engaged|widowed"
_DIET = "vegetarian|veggie|vegan|pescatarian|gluten-free|dairy-free"
_STATUS = (
    "pregnant|retired(?! (?!(?:and|now|since|from|at|but|after|last|in|for|early|because|so|too|already)\\b)[a-z])"
    "|unemployed|transgender|trans|gay|lesbian|bisexual|nonbinary|non-binary|(?:left|right)[- ]handed|colou?r[- ]?blind"
    "|deaf|coeliac|celiac|lactose intolerant|gluten intolerant|diabetic|adopted|asthmatic|dyslexic"
    "|autistic|self-employed"
    "|bilingual|Catholic|Christian|Muslim|Jewish|Buddhist|Hindu"
)


def _literal(pattern: str, kind: str = "") -> Reader:
    """Return a reader of exactly what ``pattern`` matches, with its first group as the name."""
    regex = re.compile(pattern)

    def read(rest: str, _party: Turn) -> tuple[Referent, ...]:
        match = regex.match(rest)
        return (Referent(match[1], kind, match[0].strip(), len(match[0].split())),) if match else ()

    return read


def _implied(name: str) -> Reader:
    """Return a reader of what a verb says without an object, at the end of a clause or before a date or a cause."""

    def read(rest: str, _turn: Turn) -> tuple[Referent, ...]:
        ends = re.match(r"$|,|\u27e6|(?:because|after|when|by|from|of|in|at|this|last|peacefully|suddenly)\b", rest)
        return (Referent(name, LITERAL, "", 0),) if ends else ()

    return read


EXERCISES = ("run", "swim", "cycle", "jog", "row", "climb")
"""Verbs of what is done regularly without an object: "I run three times a week"."""


def _regular(activity: str) -> Reader:
    """Return a reader of an activity that its verb names, before how often or when it is done."""

    def read(rest: str, _turn: Turn) -> tuple[Referent, ...]:
        return (Referent(activity, "activity", "", 0),) if _OFTEN.match(rest) else ()

    return read


_OFTEN = re.compile(
    rf"(?:(?:\d|once|twice|{'|'.join(NUMBERS[2:8])}|a few|several|a couple of)(?: times| days)?"
    r" (?:a|per|every) (?:week|day|month)"
    rf"|(?:on )?(?i:{'|'.join(WEEKDAYS)})s\b|every (?:day|morning|evening|week|weekend|second day|other day)\b"
    r"|most (?:days|mornings|evenings|weekends)\b|\u27e6)"
)


def _languages(rest: str, _turn: Turn) -> tuple[Referent, ...]:
    """Read all languages of a list: "Dutch, a bit of French and German"."""
    match = _LANGUAGE_LIST.match(rest)
    if match is None:
        return ()
    length = len(match[0].split())
    return tuple(Referent(name, "language", match[0], length) for name in re.findall(LANGUAGES, match[0]))


def _diet(rest: str, turn: Turn) -> tuple[Referent, ...]:
    """Read a diet; who is veggie is vegetarian."""
    return tuple(replace(each, name={"veggie": "vegetarian"}.get(each.name, each.name)) for each in _diets(rest, turn))


_diets = _literal(
    rf"(?:an? )?({_DIET})(?= |,|$)(?! (?!(?:and|again|now|too|by the way|because|so|as well|these days)\b)\w+)",
    LITERAL,
)

_LANGUAGE = (
    r"(?:(?:both|fluent|basic|broken|some|native|near-native|a (?:bit|little|tiny bit)(?: of)?|also|good|decent"
    rf"|conversational) )*(?:{LANGUAGES})\b"
)
_LANGUAGE_LIST = re.compile(rf"{_LANGUAGE}(?:(?:,? (?:and|&|plus|as well as)|,) {_LANGUAGE})*")

DRUG = (
    r"(?:[a-z]{2,}(?:pril|sartan|statin|olol|azole|cillin|mycin|cycline|oxetine|traline|opram|azepam|formin|limus"
    r"|(?:cor|pred)\w*(?:sone|solone)|gliptin|gliflozin|glutide|xaban|dipine|triptan|profen|dronate|thyroxine)"
    r"|(?:antibiotics|steroids|insulin|statins|beta blockers|antihistamines|antidepressants|blood thinners|painkillers"
    r"|iron tablets|metformin|warfarin|HRT|the pill)\b"
    r"|(?!(?:about|around|nearly|over|under|only|just|maybe|roughly|than|with|three|four|five|half|some|that|this|them"
    r"|each|daily|another)\b)[a-z][\w-]{3,}(?=,? \d[\d.]* ?mc?g\b)"
    r"|(?:(?<=mg of )|(?<=mcg of ))[a-z][\w-]{3,})"
    r"(?: (?:ointment|cream|tablets|pills|drops|spray|gel))?"
)
"""Medicines: by the ends of their international names, kinds of them, and what is taken in milligrams."""
_DOSE = rf"(?:,? \d[\d.]* ?(?:{DOSE_UNITS})?(?![\w%:]))?"
_DOSE_OF = r"(?:(\d[\d.]* ?(?:mg|mcg|ml|g|units)) of )?"
_DRUGS = re.compile(rf"{_DOSE_OF}(?i:{DRUG}){_DOSE}(?:(?:,? and|,) {_DOSE_OF}(?i:{DRUG}){_DOSE})*")
_DRUG_IN_LIST = re.compile(rf"(?<![\w.]){_DOSE_OF}((?i:{DRUG}){_DOSE})")


def _drugs(rest: str, _turn: Turn) -> tuple[Referent, ...]:
    """Read all medicines of a list, each with its dose: "ramipril 5 mg and metformin"."""
    match = _DRUGS.match(rest)
    if match is None:
        return ()
    words, length = match[0], len(match[0].split())
    found = (f"{name} {dose}".strip().replace(",", "") for dose, name in _DRUG_IN_LIST.findall(words))
    return tuple(Referent(each, "medicine", words, length) for each in found)


FOREGONE = (
    "dairy|gluten|meat|sugar|alcohol|wheat|caffeine|coffee|bread|carbs|eggs|red meat|milk|booze|cigarettes"
    "|shellfish|seafood|fish|nuts|peanuts|lactose|soy|spicy food|coriander|cilantro"
)
"""What somebody is off who does not take it any more, and which is no medicine."""

LITERALS: dict[str, Reader] = {
    "drug": _drugs,
    "day_off": _literal(
        rf"((?i:{'|'.join(f'{day}s?' for day in WEEKDAYS)})(?:(?:,| and| or)"
        rf" (?i:{'|'.join(f'{day}s?' for day in WEEKDAYS)}))*)"
        r"(?=$|,| (?:any ?more|because|at|after|before|until|till|in|any longer)\b| \u27e6)",
        LITERAL,
    ),
    "foregone": _literal(
        rf"((?:{FOREGONE})"
        r"(?: (?:and|or) [a-z]+)?)(?=$|,| (?:now|again|because|too|completely|any ?more|at all)\b| \u27e6)",
        LITERAL,
    ),
    "blood_type": _literal(
        r"((?:A|B|AB|O)[ -]?(?:rh[ -]?)?(?i:negative|positive|neg|pos))(?=$|,| (?:so|and|but|which|like|too)\b)",
        LITERAL,
    ),
    "hospital": _literal(
        r"(?:(?:the|a|an) )?((?:[\w-]+ )?(?:hospital|hospice|care home|nursing home|rehab(?: place| clinic)?"
        r"|intensive care|prison)"
        r"(?: in [A-Z]\w+(?: [A-Z]\w+)*)?)(?=$|,| (?:and|with|after|since|for|now)\b| \u27e6)",
        "place",
    ),
    "address": _literal(
        r"((?:(?:number )?\d{1,4}[a-zA-Z]? )?[A-Z][\w'-]+(?: [A-Z][\w'-]+)* (?:Street|St|Road|Rd|Avenue|Ave|Lane"
        r"|Drive|Close|Square"
        r"|Terrace|Place|Court|Crescent|Way|Row|Quay|Gardens)(?:,? number \d+)?)(?=$|,| )",
        LITERAL,
    ),
    "size": _literal(r"(size (?:\d[\d./]*|X*[SML]L?)(?: (?:womens|women's|mens|men's|UK|US|EU))?)(?=$|,| )", LITERAL),
    "work_mode": _literal(
        r"(from home|remotely|nights|night shifts|early shifts|late shifts|shifts|weekends|part[- ]time|full[- ]time"
        r"|freelance)"
        rf"(?=$|,| (?:on|and|since|now|most|every|{'|'.join(NUMBERS[2:5])}|mostly|these|because|but"
        rf"|(?i:{'|'.join(WEEKDAYS)})s)\b| \u27e6)",
        LITERAL,
    ),
    "alone": _literal(
        r"(alone|on (?:my|his|her) own|by myself)(?=$|,| (?:in|and|with|now|since|but)\b| \u27e6)", LITERAL
    ),
    "only_child": _literal(
        rf"(?:an |the )(only child|(?:oldest|eldest|youngest|middle) of (?:{'|'.join(NUMBERS[2:8])}))(?=$|,| )",
        LITERAL,
    ),
    "ability": _literal(rf"({_ABILITIES})(?=$|,| (?:at all|and|but)\b)", LITERAL),
    "inability": _literal(rf"({_ABILITIES}|drive|cook|sing|dance)(?=$|,| (?:at all|to save)\b)", LITERAL),
    "sought": _literal(
        r"(?:an? )?((?:new )?(?:(?!new)[a-z-]+ )?(?:job|flat|apartment|house|room|flatmate|roommate|housemate|therapist"
        r"|dentist|internship))(?=$|,| (?:in|at|near|for|as|with|now|and|because)\b)",
        LITERAL,
    ),
    "shift": _literal(
        r"((?:call|lates|nights|earlies|days|night shifts?|late shifts?|early shifts?"
        r"|(?:maternity|paternity|parental|sick|study) leave(?! [^,])))(?=$|,| \u27e6| (?:at|in"
        r"|for)\b)",
        LITERAL,
    ),
    "status": _literal(rf"({_STATUS})(?= |,|$)(?! (?:of|to|in|about|by)\b)", LITERAL),
    "marital": _literal(
        rf"({_MARITAL})(?= |,|$)(?! (?:of|to|in|by|from|with(?! (?:\w+ )?(?:kids|children|child|boys|girls)))\b)",
        LITERAL,
    ),
    "diet": _diet,
    "nation": _literal(rf"((?:half )?(?:{NATIONS}))(?=,|$)", LITERAL),
    "language": _languages,
    "age": _literal(
        rf"(\d{{1,2}}|{'|'.join(NUMBERS[1:])}|{_AGES})(?: years old)?(?=,|$| (?:and|but|now|already|\u27e6))", LITERAL
    ),
    "height": _literal(
        r"(\d[\d.,]*(?: ?(?:m|cm|metres?|meters?|ft|feet|foot))?(?: ?\d+)?(?= tall\b)"
        r"|[4-6]'\d{1,2}(?=$|,| (?:and|so|but|tall)\b))",
        LITERAL,
    ),
    "amount": _literal(
        r"((?:(?:about|around|over|almost|nearly) )?[£$€]?\d[\d,.]*k?(?: ?(?:kilos?|kg|pounds?|lbs?|euros?"
        r"|dollars?|quid|%|[£$€]))?"
        r"(?: (?:a|an|per) (?:day|week|month|year|hour)|(?: (?:net|gross))|\b)(?: (?:in|for) [a-z]+)?)(?=$|,| )",
        LITERAL,
    ),
    "paid": _literal(
        r"((?:(?:about|around|over|almost|nearly) )?[£$€]?\d[\d,.]*k?(?: ?(?:euros?|dollars?|quid|bucks|[£$€]))?"
        r"(?: (?:a|an|per) (?:day|week|month|year|hour))? (?:in|for|on) (?:the |our |my |an? )?[A-Za-z][\w-]*(?:"
        r" [A-Za-z][\w-]*){0,3})(?=$|,| \u27e6)",
        LITERAL,
    ),
    "abstained": _literal(r"(smoke|drink|drive|swim|cook)(?=$|,| (?:and|at all|but)\b)", LITERAL),
    "infinitive": _literal(
        r"(to (?!(?:be|have|get|stay|live|let|love|say|cope|trust|accept|deal)\b)[a-z]+"
        r"(?: (?:the |a |an )?(?!my|our|me\b|us\b|it\b|the\b|an?\b)[a-z]+)?)(?=$"
        r"|,| (?:with|at|in|from|for|because|so|and)\b)",
        LITERAL,
    ),
    "medicine": _literal(
        r"(?:(?:the|my) )?((?!(?:the|my|an?|some|it|them|this|that)\b)[A-Za-z][\w-]+(?: \d+ ?mg)?)"
        r"(?=(?: \d+ ?mg)?(?: [\w⟦⟧-]+){0,2} ?(?:⟦|every|daily|twice|once|each"
        r"|for my|at night))",
        "medicine",
    ),
    "going": _literal(
        r"((?:camping|hiking|swimming|skiing|snowboarding|surfing|fishing|shopping|dancing"
        r"|climbing|rock climbing|kayaking|"
        r"canoeing|sailing|cycling|biking|running|jogging|skydiving|diving|scuba diving|snorkeling"
        r"|bowling|ice skating|skating|"
        r"horseback riding|backpacking|birdwatching|thrifting|sightseeing|paddleboarding|sledding"
        r"|golfing|mushroom picking))\b",
        "activity",
    ),
    "own_job": _literal(
        r"(?:my|his|her|their|the) (?:[a-z]+ )?(job)(?=$|,|\s*\u27e6| (?:because|to|and|after|when|so|without)\b)",
        LITERAL,
    ),
    "post": _literal(
        r"(?:an?|the|my|that|another) ((?:[\w-]+ ){0,3}(?:job|role|position|promotion|post|traineeship|apprenticeship))"
        r"(?=$|,|\s*\u27e6| (?:at|in|with|and|but|after|because|last|there)\b)",
        LITERAL,
    ),
    **{doing: _regular(doing) for doing in map(gerund, EXERCISES)},
    "brew": _literal(
        r"my ((?:coffee|tea) (?:black|white|strong|weak|decaf|with(?:out)? (?:no |a bit of |oat |soy |almond )?[a-z]+))"
        r"(?=$|,| (?:and|but)\b)",
        LITERAL,
    ),
    "no_job": _implied("job"),
    "no_partner": _implied("partner"),
    "home_left": _implied("home"),
    "divorcing": _implied("getting divorced"),
    "retired": _implied("retired"),
    "dead": _implied("dead"),
    "examination": _literal(
        r"(?:(?:my|the|an?) )?((?:[\w-]+ ){0,3}(?:tests?|exams?|theory|practical|GCSEs?|[Aa][- ]levels?|viva|finals"
        r"|[Gg]rade \d(?: [a-z]+)?)|(?:(?<=my )|(?<=the ))[A-Z]{3,5})"
        r"(?=$|,|\s*\u27e6| (?:at|in|with|and|but|after|last|first)\b)",
        LITERAL,
    ),
    "newborn": _literal(
        r"(?:an?|the|my|our|his|her|their|another) (?:(?:little|lovely|beautiful|healthy|second|third|first) )*"
        r"(baby(?: boy| girl)?|(?:boy|girl)(?=$|,|\s*\u27e6)|twins)(?=$|,|\s*\u27e6| (?:at|in|called|named|and)\b)",
        LITERAL,
    ),
    "years": _literal(rf"((?:\d+|{'|'.join(NUMBERS[2:11])}) years)", LITERAL),
    "name": _literal(rf"({FULL_NAME})(?=,|$| because| (?:and|at|now|for)\b)", "person"),
    "body": _literal(rf"(?:my|his|her) ((?:left |right )?(?:{_BODY}))\b", LITERAL),
}
"""Readers by name."""
