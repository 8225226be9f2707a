"""One spelling of message text: short forms in full, no emoji or links, "I am going to" for "im gonna"."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from mem0g.text.english import KIN, KIN_SPELLINGS, MONTH, NUMBERS, WEEKDAYS

_EMOJI = re.compile(
    "[\U0001f000-\U0001faff\u2190-\u21ff\u2300-\u27bf\u2b00-\u2bff\ufe0f\u200d]+|(?<!\\S)[:;]-?[)(DPp](?!\\w)"
)
_BEFORE_EMOJI = re.compile(
    r"(\b(?:named|called|an?|the|my|our|of) )(?:[\U0001f000-\U0001faff\u2300-\u27bf\ufe0f\u200d]+ ?)+", re.IGNORECASE
)
"""A word that a sentence does not end in, and an emoji: "a cat named 😀 Smile"."""
_LINK = re.compile(r"https?://\S+|www\.\S+")

_HAS = (
    r"(?=\s+(?:always |already |never |just |also |really )?(?:been|got|had|become|gone|taken|made|started|joined)\b)"
)
_WHO = r"(he|she|it|that|there|who|what|here|how|where|everyone|everything|one)"

_WORDS_FOR_KIN = "|".join(sorted(KIN_SPELLINGS.keys() | KIN | {"friend", "flatmate", "boss", "neighbour"}))

_SOMEBODY = (
    r"(?:^|(?<=[.!?\n] )|(?<=and )|(?<=but )|(?<=, ))((?-i:[A-Z])[a-z]+"
    rf"|(?:my|our) (?:[a-z]+ ){{0,2}}(?:{_WORDS_FOR_KIN})(?: (?-i:[A-Z])[a-z]+)?)"
)
"""A name or a word for kin that begins a clause, and is short for a subject and its verb with 's."""

_NUMBERS = "|".join(NUMBERS[1:20])
_DIET = "(?:vegan|vegetarian|pescatarian|veggie)"


_SHORT_DAYS = "|".join(day[:3] for day in WEEKDAYS)


def _whole_day(match: re.Match[str]) -> str:
    return next(day.capitalize() for day in WEEKDAYS if day.startswith(match[0].lower()[:3]))


_SPELLINGS: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    (r"\bi\b", "I"),
    (r"\bim\b", "I am"),
    (r"\bive\b", "I have"),
    (r"\bcant\b", "can not"),
    (r"\bcan't\b|\bcannot\b", "can not"),
    (r"\bwon't\b", "will not"),
    (r"\bI ain'?t\b", "I am not"),
    (r"\bain'?t\b", "is not"),
    (r"n't\b", " not"),
    (r"\bI'm\b", "I am"),
    (
        r"\bI do (?=(?:really |actually )?(?:play|like|love|enjoy|eat|drink|work|live|speak|have|own|smoke|drive|run"
        r"|swim|cook)\b)",
        "I ",
    ),
    (r"\b(you|we|they|who)'re\b", r"\1 are"),
    (r"\b(I|you|we|they|who)'ve\b", r"\1 have"),
    (r"'ll\b", " will"),
    (rf"\b{_WHO}'s{_HAS}", r"\1 has"),
    (rf"\b{_WHO}'s\b", r"\1 is"),
    (r"\blet's\b", "let us"),
    (r"\b(I|you|he|she|we|they)'d(?=\s+(?:always |already |never |just )?(?:been|had|better|\w+ed)\b)", r"\1 had"),
    (r"\b(I|you|he|she|we|they)'d\b", r"\1 would"),
    (r"(?<=\w),?(?: at least)? for now\b", ""),
    (r"(?<=\w),? (?:btw|lol|lmao|tbh|ngl|imo|imho)\b(?! \w)", ""),
    (r"(?<=\w),? (?:btw|lol|lmao|tbh|ngl|imo|imho),? (?=(?:so|but|and|because)\b)", ", "),
    (r"(?<=\w)(?:,? just)?(?:,? so)?,? (?:you|u|ya) know(?: this| that| it)?(?=[.!,\n]|$)", ""),
    (r"(?<=\w),? can (?:you|u) believe(?: it| this| that)?(?=[.!?\n]|$)", ""),
    (r"(?<=\w),? do(?: not|n'?t) (?:laugh|judge(?: me)?|ask)(?=[.!?\n]|$)", ""),
    (r"(?<=\w),? (?:please and )?(?:thank you|ty)(?=[.!\n]|$)", ""),
    (r"(?<=\w),? fyi(?=[.,!\n]| (?:so|and|but)\b|$)", ""),
    (r"(?<=\w),? like (?:the rest of (?:you|us)|every(?:one|body) else)(?=[.,!\n]|$)", ""),
    (r"(?<=\w), (?:sorry|soz|thanks|thx|cheers|meh|ugh|imagine)(?=[.!\n]|$)", ""),
    (r"\byr(s?)\b", r"year\1"),
    (r"\b(last|to)( ?)nite\b", r"\1\2night"),
    (r"\b(?:tues|weds|thurs?)\b", _whole_day),
    (rf"(?<=\bon )(?:{_SHORT_DAYS})\b(?=$|[.,!?\n]| (?:at|morning|afternoon|evening|night|\d))", _whole_day),
    (r"(?-i:\bw)/? (?=\w)", "with "),
    (r"\b(?:boyf|bf)\b", "boyfriend"),
    (r"\bgf\b", "girlfriend"),
    (rf"\bI am not {_DIET}, (?:just|only|but) (?={_DIET}\b)", "I am "),
    (rf"\b(till|until) next (?=(?:{MONTH}))", r"\1 "),
    (r"\bas of (?=today|tomorrow|now\b|next )", "from "),
    (rf"\bin ((?:19|20)\d\d),? in ({MONTH})\b(?! \d)", r"in \2 \1"),
    (r"(?<=\w) already(?=[.!\n]|$)", ""),
    (r"\bhanded (my|his|her|their) notice in\b", r"handed in \1 notice"),
    (r"\bgonna\b", "going to"),
    (r"\bwanna\b", "want to"),
    (r"\bgotta\b", "have to"),
    (r"(?<!\w)'em\b", "them"),
    (r"\bwalk in (?=clinic|closet|wardrobe|shower|centre|center)", "walk-in "),
    (r"(?<!\w)'?(?:cause|cuz|coz)\b(?=\s+(?:I|we|it|he|she|they|my)\b)", "because"),
    (r"\bin'(?=\s|$)", "ing"),
    (r"\b(\w+in)'(?=\s)", r"\1g"),
    (r"\bfav(?:e|ou?rite)?\b", "favorite"),
    (r"\bcancell?ed\b", "cancelled"),
    (r"\b((?:mother|father|sister|brother|son|daughter)s?) in law\b", r"\1-in-law"),
    (r"\b(?:got|have got|has got) to (?=\w)", "have to "),
    (r"\bwould (?:really |absolutely |just )?(?:love|like) to\b", "want to"),
    (r"\b(learn|learned|learnt|learning) how to\b", r"\1 to"),
    (
        r"\bI (?:have )?(?:just |recently )?(?:changed|switched) jobs?(?:,| and|;| -) (?:so )?(?:I am )?(?:now )?"
        r"(?:at|with|working (?:at|for)) (?=(?-i:[A-Z]))",
        "I started working at ",
    ),
    (r"\bwe are (vegetarian|vegan|pescatarian)s\b", r"we are \1"),
    (
        r"\b(my favorite [\w -]{2,30}?) (?:used to be|was) [^,.;!?]{2,40}?,? but "
        r"(?:it is now|now it is|these days it is|it is|lately it is)(?= \w)",
        r"\1 is",
    ),
    (r"\bI would (?:also )?(?:highly |definitely |totally |strongly |really )?recommend\b", "I recommend"),
    (
        rf"{_SOMEBODY}'s (?=(?:an?|not|no longer|also|allergic|vegan|vegetarian|pregnant|retired|from|engaged"
        r"|left[- ]handed|in (?:hospital|hospice|labou?r|rehab|intensive care)|moving (?:out|house)|\d\d(?= |$|[,.])"
        rf"|(?:{_NUMBERS}|\d) (?:on (?=the|\d|\w+day)|tomorrow|today|next (?=week|month|\w+day))"
        r"|(?:moving|living|working|getting|studying|learning|dating|expecting|coming|going) (?:to|in|at|as|for|with"
        r"|an?))\b)",
        r"\1 is ",
    ),
    (
        rf"{_SOMEBODY}'s (?=(?:(?:joining|marrying|getting|learning|studying)"
        r" (?!(?:is|was|has|curve|habits|style|support|difficult\w+|disabilit\w+|rid)\b)\w"
        r"|turning \d"
        r"|(?:retiring|leaving|selling|buying|starting|visiting|flying|travell?ing)"
        r" (?:in|on|at|to|from|for|with|the|an?|his|her|their|my|our|this|next|back|home|out|work|us)\b"
        r"|off (?:caffeine|coffee|dairy|gluten|meat|sugar|alcohol|booze|work|until|till|sick)\b"
        r"|on (?:(?:maternity|paternity|parental|annual|sick|study) )?(?:leave|holiday|vacation)\b))",
        r"\1 is ",
    ),
    (
        rf"{_SOMEBODY}'s (?=(?:been|got|moved|taken|left|started|quit|bought|sold|become"
        r"|joined|passed|adopted|booked|stopped|died|ordered"
        r"|gone(?= (?:vegan|veggie|vegetarian|off)))\b)",
        r"\1 has ",
    ),
)
_WITHOUT_APOSTROPHE = re.compile(
    r"\b(?:(?P<be>(?:he|she|that|there|what|who|where|here)(?=s\b))s"
    r"|(?P<no>(?:do|does|did|is|are|was|were|has|have|had|could|would|should)(?=nt\b))nt"
    r"|(?P<they>(?:you|they)(?=(?:re|ve|ll)\b))"
    r"|(?P<lets>lets) (?=(?:do|go|use|switch|move|meet|make|try|say|get|have|stick|take|start|call|order|book)\b)"
    r"|(?P<its>its) (?=(?:an?|the|not|called|just|so|too|only|really|all)\b|\d)"
    r"|(?P<kin>(?:mum|mom|dad|mother|father|sister|brother|son|daughter|wife|husband|boyfriend|girlfriend|boss|friend)"
    r"(?=s (?:birthday|name|number|wedding|funeral|phone|operation|surgery|graduation|address|flight|party)\b))s"
    r"|(?<![\w'] )(?P<ill>ill) (?=(?:be|book|bring|call|come|do|get|go|have|make|pay|send|take|write)\b))",
    re.IGNORECASE,
)


def _with_apostrophe(match: re.Match[str]) -> str:
    """Return a short form in full, or with its apostrophe: "do not" of "dont"."""
    words = match[match.lastgroup or 0]
    ends = {"be": "'s", "no": " not", "they": "'", "kin": "'s", "lets": "let us ", "its": "it is ", "ill": "I will "}
    end = ends[match.lastgroup or ""]
    return f"{words}{end}" if end[0] in "' " else end


_PET = "(?:dog|cat|horse|rabbit|pony|hamster)"


def _died(match: re.Match[str]) -> str:
    return f"{match[1] or 'my ' + match[2]} died"


_SENTENCE = r"(?:^|(?<=[.!?\n] ))[^.!?\n]{1,200}[.!?]+ "
"""A sentence, which the next one takes back."""
_RARE: tuple[tuple[str, str, str | Callable[[re.Match[str]], str]], ...] = (
    (
        "'s been ",
        r"\b((?:(?:the|my|our) (?:[\w-]+ ){0,2}|^)[\w-]+)'s (?=been (?:moved|pushed|postponed|cancelled|called off"
        r"|rescheduled|delayed|brought|put)\b)",
        r"\1 has ",
    ),
    ("'s ", r"(^|(?<=[.!?\n] ))([a-z]+)'s (?=cancelled\b|called off\b|off(?: now)?(?=$|[.,!\n]))", r"\1\2 is "),
    (
        " put ",
        rf"\b(?:I|we) (?:have )?had to (?:have )?put (?-i:([A-Z]\w+)|(?:my|our) ((?:\w+ )?{_PET}(?: [A-Z]\w+)?))"
        r"(?: down| to sleep)\b",
        _died,
    ),
    (
        " put ",
        rf"\b((?-i:[A-Z]\w+)|(?:my|our) (?:\w+ )?{_PET}) (?:was|had to be|has been) put (?:down|to sleep)\b",
        r"\1 died",
    ),
    (
        " me off ",
        r"\b(?:(?:my|the) )?(?:doc|doctor|gp|psychiatrist|consultant|they) (?:has |have |just )*(?:took|taken) me off"
        r" (?=[a-z])",
        "I came off ",
    ),
    ("'s ", r"\b((?:my|our|the) [\w-]+(?: [\w-]+)?)'s (?=(?:on |the |on the )\d|on \w+day\b)", r"\1 is "),
    ("'s ", r"(^|(?<=[.!?\n] ))([a-z]+)'s (?=(?:on )?(?:the )?\d{1,2}(?:st|nd|rd|th)\b)", r"\1\2 is "),
    (
        "been told",
        r"\b(I|he|she|(?-i:[A-Z]\w+)) (?:has|have|was) (?:just )?been told (?:that )?(?:I|he|she) (am|is) (?=[a-z])",
        r"\1 \2 ",
    ),
    (
        " not",  # "She's pregnant! No she isn't, she's been promoted."
        _SENTENCE + r"no,? (?:she|he|they|it) (?:is|are|was|has|have|did|does) not(?![\w ])[^.!?\n]{0,200}",
        "",
    ),
    (
        " did",  # "We adopted a dog! Well, Tom did."
        _SENTENCE + r"(?:well|ok(?:ay)?|I mean|actually|rather)[, ]+"
        r"(?-i:[A-Z]\w+(?: and [A-Z]\w+)?|my \w+(?: and \w+)?)(?<! I) did(?=[.!?\n]|$)",
        "",
    ),
    (
        "last day",
        rf"(?<=\w), (?:and |with )?(?:my )?last day(?: is| will be)? (?=on |the \d|\d|(?:{_SHORT_DAYS})\w*day\b)",
        "; the last day is ",
    ),
)


def _cue(pattern: str) -> str:
    """Return the apostrophe if all that the pattern matches has one, else nothing, which every text has."""
    last = pattern.rpartition("'")[2]
    return "'" if "'" in pattern and "'?" not in pattern and "|" not in last else ""


_TABLE = tuple(
    (cue, re.compile(pattern, re.IGNORECASE), plain)
    for cue, pattern, plain in (*((_cue(pattern), pattern, plain) for pattern, plain in _SPELLINGS), *_RARE)
)
"""What a text has to have for a pattern to be looked for, the pattern, and what stands for its matches."""

_FILLER = re.compile(
    r"(?<=\w)(?P<comma>,?) (?:(?P<aside>rn|atm|innit|fr|haha|smh|btw|by the way|tbh|ngl|imo|fyi|just saying)"
    r"|(?P<several>lads|guys)|mate|bro|bruv|m8|dude)"
    r"(?=\s*(?:[.!?,\n]|$))"
)
"""A word at the end of a clause that says nothing or addresses somebody: "I love pizza mate"."""
_DETERMINED = re.compile(
    r"\b(?:(?:(?P<one>an?|another)|my|our|your|his|her|their|the|this|that|these|those|some|any|no|new|old|good|best"
    r"|two|three)(?P<noun> [\w'-]+)?|called|named|of|with|for|to|at|in|and)$",
    re.IGNORECASE,
)
"""Words after which it is a noun: "my best mate"."""


_SINGLE_QUOTES = re.compile(
    r"(?<![\w'])'(?!(?:cause|til|tis|em|bout|n)\b)(?=\w)((?:[^'\n]|(?<=\w)'(?=\w)){2,200})'(?!\w)"
)


def _without_filler(match: re.Match[str]) -> str:
    """Return nothing for a filler, the words for a noun; "a dog lads" and "a job rn" end in one."""
    before = _DETERMINED.search(match.string, max(0, match.start() - 30), match.start())
    if match["comma"]:
        return ""
    if match["several"]:
        return "" if before and before["one"] and before["noun"] else match[0]
    return match[0] if before and not (match["aside"] and before["noun"]) else ""


@lru_cache(maxsize=64)
def plain(text: str) -> str:
    """Return ``text`` in one spelling: straight quotes, no emoji or links, "I am going to" for "I'm gonna".

    Line breaks stay.
    """
    text = text.replace("’", "'").replace("‘", "'").replace("“", '"').replace("”", '"').replace("…", "...")
    text = _SINGLE_QUOTES.sub(r'"\1"', text)
    text = _LINK.sub(" ", _EMOJI.sub(" .\n", _BEFORE_EMOJI.sub(r"\1", text)))
    text = _FILLER.sub(_without_filler, text)
    text = _WITHOUT_APOSTROPHE.sub(_with_apostrophe, text)
    for cue, pattern, spelling in _TABLE:
        if cue in text:
            text = pattern.sub(spelling, text)
    return re.sub(r"[^\S\n]+", " ", text)
