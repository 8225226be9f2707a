"""Plain text to sentences, and sentences to clauses; questions, suppositions and reports are marked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mem0g.extract.rules.grammar.people import COMPANION
from mem0g.extract.rules.grammar.verb_phrases import PAST

MAX_SENTENCE = 600
"""Characters of a sentence; a longer one is pasted text."""

_QUOTED = re.compile(r'"[^"\n]{1,80}"')
_END = re.compile(
    r"(?<![.!?])(?<!\b[A-HJ-Z])(?<!\b(?:Mr|Dr|Ms|St|vs))(?<!\b[Nn]o(?=\. \d))"
    r"(?<!\bMrs)(?<!\bProf)(?<!\b[ap]\.m)[.!?]++[\"')]*+(?=\s|$)"
    r"|(?<![!?])[!?]++[\"')]*+(?=\s|$)|\.{2,}|\n+"
)
"""The end of a sentence. Possessive quantifiers: a long run of marks is scanned once."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence without its end mark."""

    text: str
    question: bool


def sentences(text: str) -> Iterator[Sentence]:
    """Yield the sentences of plain ``text`` in order; those over MAX_SENTENCE are left out."""
    quoted = {i for match in _QUOTED.finditer(text) for i in range(match.start(), match.end() - 1)}
    start = 0
    for match in _END.finditer(text):
        if match.start() in quoted and "\n" not in match[0]:
            continue
        unfinished = match[0].startswith("..") and _UNFINISHED.search(
            text, max(start, match.start() - 8), match.start()
        )
        if not unfinished and (sentence := _sentence(text[start : match.start()], match[0])):
            yield from _stated_first(sentence)
        start = match.end()
    if sentence := _sentence(text[start:], ""):
        yield from _stated_first(sentence)


_UNFINISHED = re.compile(
    r"\b(?:the|an?|my|our|his|her|their|with|of|to|and|but|or|for|in|at|is|are|was|that|if)$", re.IGNORECASE
)
"""A word that no sentence ends in: "I can't have that with the... never mind"."""
_STATED_FIRST = re.compile(
    r"(?P<stated>(?:(?:hi|hey|hello|so|ok|btw),? )?(?:I|we|my|our|(?-i:(?:(?:Mrs?|Ms|Dr)\.? )?[A-Z][a-z]+)"
    r"(?= (?:is|has|can not|does not|lives|works|likes|hates)\b)) [^?]+), (?P<asked>"
    r"(?:(?:so|and|but) )?(?:any|what|which|how|where|who|when|why|does|do|is|are|can|could|should|would|will)\b"
    r"(?! (?:not )?(?:I|we|you|he|she|it|they)(?: not)?$)[^,]+)",
    re.IGNORECASE,
)
"""A statement about oneself, and after a comma a question, which is no tag ("am I")."""


_ASKED_LAST = re.compile(
    r"(?P<stated>.+), (?P<asked>(?:(?:any|what|which|how|where|who|when) )?"
    r"(?:(?:do|does|is|are|can|could|should|would) (?:I|we|you|it|they)\b|does [a-z]+\b|what should\b)[^,]+)",
    re.IGNORECASE,
)
"""The same without a question mark."""


_SO_WHAT = re.compile(
    r"(?P<stated>[^?]+?),? (?P<asked>so (?:what|which|how|where|who|when)"
    r" (?:is|are|do|does|should|can|could|would|of (?:these|those|them|the))\b.+)",
    re.IGNORECASE,
)
"""A statement and a question that it leads to: "my shoe size is 9, so which of these would fit"."""


def _stated_first(sentence: Sentence) -> Iterator[Sentence]:
    """Yield a question in two where it begins with a statement: "I'm vegan, what should I cook?"."""
    form = _STATED_FIRST if sentence.question else _ASKED_LAST
    text = sentence.text
    match = None if _ASKS.match(text) else form.fullmatch(text) or _SO_WHAT.fullmatch(text)
    if match:
        yield Sentence(match["stated"], question=False)
    yield Sentence(match["asked"], question=True) if match else sentence


_ASKS = re.compile(
    r"^(?:and |but |so |or )?(?!do not forget\b)(?:do|does|did|are|is|was|were|have you|has|can you|could|would"
    r"|will|shall|what|why|how|who|whose|which|"
    r"where|when (?:do|does|did|are|is|will))\b(?! (?:a|an) )",
    re.IGNORECASE,
)


_TAG = re.compile(
    r",? (?:did I (?:already )?(?:tell (?:you|ya)|mention)(?: that| this| it)?|(?:do you )?remember)$", re.IGNORECASE
)
"""A question after what is stated."""


def _sentence(text: str, end: str) -> Sentence | None:
    text, asked = _TAG.subn("", text.strip())
    if not 2 < len(text) <= MAX_SENTENCE:
        return None
    return Sentence(text, ("?" in end and not asked) or bool(_ASKS.match(text)))


_OPENERS = re.compile(
    r"^(?:(?:oh|ooh|ah|aw|aww|wow|whoa|yeah|yea|yes|yup|yep|ya|hey|hi|hiya|hello|well|so|and"
    r"|but|also|anyway|anyways|btw|by the way"
    r"|thanks|thank you|thx|actually|honestly|haha|hahaha|ha|lol|omg|ok|okay|cool|nice|great"
    r"|awesome|sweet|sure|sure thing|no|nope|plus|guess what"
    r"|congrats|congratulations|absolutely|definitely|totally|exactly|of course|for sure|right|true|luckily"
    r"|fortunately|unfortunately|sadly|finally|first|then|also|too|man|dude|no worries|sorry|good news|to be honest"
    r"|welp|confession|weirdly|strangely|oddly|surprisingly"
    r"|as for me|in fact|speaking of which|lately|recently|personally|for me|just so you know"
    r"|you know|fun fact|(?:big|bad|sad|great|some) news|news|update|fine|alright|heads up"
    r"|since (?:we|our|I) last \w+(?: \w+)?|after (?:that|all)|because|though|although|yay"
    r"|woohoo|same here|me too|i know|however"
    r")\b(?:,? (?:[A-Z]\w+)(?=[,!.]|$))?(?:\s*[,!.:;-]+\s*|\s+(?=(?:I|we|my|our|the|you|he|she|it|they|just|so"
    r"|confession|[a-z]{2,15} and I)\b|$)))",
    re.IGNORECASE,
)
_BEFORE_DEED = re.compile(
    rf"^(?:ok|okay|k|yes|yeah|yep|so|and|btw|anyway|haha|lol|oh|hey) (?=(?:{'|'.join(sorted(PAST))})\b)",
    re.IGNORECASE,
)
"""What stands before a deed of the speaker's, without a comma: "ok signed up for French"."""
_TURNS_OUT = re.compile(
    r"^(?:(?:it )?turns out(?: that)?,? (?!to\b)|(?:correction|oops|whoops)[,!.:;-]* +)", re.IGNORECASE
)
_ANNOUNCED = re.compile(
    r"^(?:dear (?:[\w.'&-]+ ){0,4}?[\w.'-]+,|as you (?:may |might )?(?:know|remember|recall)\b"
    r"|just so (?:everyone|everybody|you all|you)(?:'s| is| are|'re)?(?: aware| knows?)\b"
    r"(?: (?:before|for) [^,]{2,20})?"
    r"|heads up"
    r"|(?:please )?(?:be aware|note|know)(?= that )|(?:just )?to (?:say|mention|confirm|let (?:you|everyone) know)\b"
    r"|(?:I (?:should|must|ought to|have to|had better|am writing to|would like to|just want(?:ed)? to)|let me) "
    r"(?:just )?(?:say|mention|add|tell you|let you know|point out)\b|p\.?s\.?\b|for what it is worth\b)"
    r"[,:]? *(?:that )?(?=(?:I|we|my|our|he|she|the|(?-i:[A-Z])[\w'-]+) [a-z])",
    re.IGNORECASE,
)
"""What announces a statement: a salutation, "as you know", "I should mention that"."""
_NOW_WE = re.compile(r"(?:(?:and|but|so),? )?now,? (?=(?:I|we)\b)", re.IGNORECASE)
"""Before what has become of somebody: "and now I am married"."""
_VOCATIVE = re.compile(r"^[A-Z]\w+(?: [A-Z]\w+)?[,!] +(?=(?:I|we|my|our|it|just|you|guess)\b)", re.IGNORECASE)

_PRONOUNS = r"I|we|he|she|they|it|you|there|this|that|these|those"
_SUBJECTS = rf"(?:{_PRONOUNS}|(?:my|our|his|her|their|your) [\w' -]{{2,30}})"
_BRACKET = r"(?:\((?!\d{1,4}\)[ -]?\d\d)|\)(?!(?:(?<=\(\d\))|(?<=\(\d\d\))|(?<=\(\d{3}\))|(?<=\(\d{4}\)))[ -]?\d\d))"
"""A bracket that is not within a phone number, "(555) 010-9999"."""
_CUTS = re.compile(
    rf"\s{{1,9}}(?:-+|–|—)\s+|;\s+|:\s+(?![A-Z]\w+(?:,| and\b))|\s{{0,9}}{_BRACKET}\s*"
    rf"|,?\s{{1,9}}(?:but(?! not (?:to|in|at|with|for|on) )|(?:even )?though"
    rf"|although|whereas|plus)\s+"
    rf"|,\s+(?:which|who|where|yet)\b\s*"
    rf"|,?\s{{1,9}}(?:so|and so|so that)\s+(?=(?:{_PRONOUNS}|my|our|now|who|no|please|do|maybe)\b)"
    rf"|,\s+so\s+(?=\u27e6\d+\u27e7,? (?:{_PRONOUNS})\b)|,?\s{{1,9}}(?:and"
    rf"|&)\s+(?=(?:{_PRONOUNS})\b|(?:my|our|his|her|their)\s)"
    rf"|,?\s{{1,9}}(?:after|since)\s+(?=(?:I|we)\b)|\b(?:just )?wanted to (?:let (?:you|ya) know"
    rf"|tell (?:you|ya)|share|say)(?: that)?\s+(?=I\b|we\b|my\b)"
    r"|\bI (?:should|must|ought to) (?:just )?(?:say|mention|add|tell you|let you know)(?: that)?\s+(?=I\b|we\b|my\b)"
    rf"|\b(?:I|we) (?:just |recently )?(?:found out|discovered)(?: recently| \u27e6\d+\u27e7)?(?: that)?\s+"
    rf"(?=I\b|we\b|my\b)"
    rf"|,?\s{{1,9}}and\s+(?=the (?:[\w-]+ ){{1,5}}(?:is|are|was|were|has|have|will|can|should|needs) )"
    r"|(?:,|,?\s{1,9}(?:and|&))\s+(?=(?-i:[A-Z])[a-z]+ is (?:only |already |now |just )?\d{1,3}(?:$|[,;]| and ))"
    r"|,\s+(?=(?!(?:which|who|what|that|there|it|and|or)\b)(?:[a-z]+ ){1,2}(?:is|are|was|were) )"
    r"|,\s+(?=(?:his|her|its|their) names? (?:is|are)\b|(?:(?:my|the|our|dr\.?|mr\.?|mrs\.?|ms\.?) )?[\w-]+"
    r" (?:told|says|said|reckons)\b)"
    r"|,?\s{1,9}(?:so |and )?(?=(?:please,? )(?:no|do not|never|keep|call|tell|remember|remind|note)\b)"
    r"|,\s+(?=(?:please|fyi|so yes|so no|so obviously)\b|(?:the )?[a-z]+'s (?:moved\b|\u27e6))"
    r"|,\s+(?=so (?:the|my|our|your|for|from|if|when|at|on|in|by|next|this|until|could|can|would|will|call|book)\b)"
    r"|,\s+or\s+(?=(?:will|would|may|might|should|could)\b)"
    r"|,\s+(?=just so (?:you|every)|(?:do|can|could|have|has|had|did) not\b|thank(?:s| you)\b"
    r"|(?:give|send|tell|show|help|write|make|suggest|recommend) me\b)"
    r"|(?:(?<=moved out)|(?<=moved away)|(?<=ran away)|(?<=passed away)),\s+"
    r"|,\s+(?=(?:the )?new (?:[a-z]+ ){1,2}is\b)"
    r"|,\s+(?=(?:arrives|arriving|lands|delivered|picking it up|collecting it) \u27e6)"
    r"|,\s+(?=(?:moving|leaving|flying|arriving|returning|heading|going|coming) [^,;\u27e6]{0,30}\u27e6)"
    rf"|,\s+(?=(?:{_PRONOUNS}|my|our)\s)|\s{{1,9}}(?:because|while)\s+|,\s+and\s+(?=now\b)"
    rf"|(?:,|\s{{1,9}}and)\s+(?=now (?:I|we)\b)",
    re.IGNORECASE,
)
_COUPLE = re.compile(
    rf"((?:^|[,;:-] |\b(?:but|so|because|after|when|and) ){COMPANION}),? and (I|me) (?=[a-z])"
    r"|(^[a-z]{2,15}) and (I) (?=(?:have |just )*(?:called it|broke|split|got |separated\b|parted ways|divorced\b"
    r"|are (?:(?:now|officially|finally|back|not) )*(?:together|engaged|married|dating|a couple)\b|are no longer))"
)
"""Two people as one subject: the clause is not cut between them."""
_OWN = re.compile(r"(?:I|[Ww]e|[Mm]y|[Oo]ur|[A-Z][a-z]+ (?:is|has|was|lives|works|loves|likes|plays|speaks|teaches)) ")
_HIS_VERB = re.compile(r", [A-Z][a-z]+ (?:works|lives|is|has|was|moved|got|wants|starts|plays|needs|went) ")
_SOMEBODY_NEXT = re.compile(
    r"(\b(?:is|are|was|were|has|have|had|am|went|got|works|lives|[a-z]{3,}ed)\b[^,;]*), "
    rf"(?={_HIS_VERB.pattern.removeprefix(', ')})"
)
"""A clause with its verb, and the comma after which one about somebody else follows."""
_REMINDER = re.compile(
    r"^(?:please )?(?:(?:a )?(?:(?:small|quick|friendly|gentle) )?(?:reminder|note)(?=:| that )|remember|do not"
    r" forget|note|keep in mind|bear in mind|fyi)[,:]? (?:that )?"
    r"(?=(?:I|we|my|our|(?-i:[A-Z])[a-z]+) [a-z])",
    re.IGNORECASE,
)
"""Before what somebody should remember."""
_DOES = r"(?:is|has|was|lives|works|loves|likes|hates|plays|speaks|moved|got|went|bought|wants|does|will|can not)\b"
_AND_SOMEBODY = re.compile(rf",? and (?=[A-Z][a-z]+ {_DOES})")
"""Where a clause about somebody else begins."""
_SOMEBODY_ELSEWHERE = re.compile(
    rf"(\b(?:in|at|to|from|for) [A-Z][\w'-]*(?: [A-Z][\w'-]*)*), (?=[A-Z][a-z]+ (?:{_DOES}|(?:in|at|to|from) [A-Z]))"
)
"""A place and the comma after which somebody else follows, with or without a verb: "lives in Cork, Ben in Galway"."""
_UNREAL = re.compile(
    r"\b(?:if|unless|whether|would|could|should|might|maybe|perhaps|probably|possibly|wish"
    r"|wishing|hopefully|imagine|imagining|suppose"
    r"|think|thought|guess|guessing|bet|seems?|seemed|sounds?|almost|nearly|supposed to"
    r"|apparently|pretend|pretending|as if"
    r"|dreamed|dreamt|joking|kidding|let us|have to|must|as though|feel like|felt like"
    r"|used to think|about to|would have"
    r"|or (?:something|somebody|he|she|works|maybe)"
    r"|not sure|not$|wonder|wondering|need to|allowed to|hypothetically|rather|kind of like)\b|(?-i:\bmay\b)",
    re.IGNORECASE,
)
_REPORTED = re.compile(
    r"\b(?:said|says|saying|told|tells|telling|asked|heard|thinks|believes?|claims?|claimed"
    r"|mentioned|reckons|swears|suggested|suggests|recommended|"
    r"realized|realised) (?:me|us|that|you|him|her|them|how|it|I"
    r"|we|he|she)\b|\b(?:she|he|they|who|everyone|people) (?:said|says|thinks|believes?"
    r"|claims)\b"
)
_BY_THE_WAY = re.compile(
    r",? (?:if you (?:really )?(?:must|need to|have to|want to) know|if you ever (?:need|want) to know\b[^;.]*"
    r"|in case (?:you|anyone|anybody|someone|somebody)\b[^;.]*"
    r"|if that (?:matters|helps|makes (?:any|a) difference)\b[^;.]*)$"
)
"""A condition that is none: "I was born in Lier, if you must know"."""
_IN_CASE = re.compile(
    r",? (?:just )?(?:if|in case) (?:you|anyone|anybody|someone|somebody) (?:ever )?(?:needs?|wants?|fanc(?:y"
    r"|ies)|(?:is|are)"
    r" (?:wondering|interested)|(?:has|have|had) to|gets?|asks?)\b[^,;.]*$"
)
"""A condition of no weight at the end: "my door code is 2209 if you need to get in"."""
_CONDITIONAL = re.compile(r"(?<!\beven )\b(?:if|unless|whether)\b", re.IGNORECASE)
_STATES_A_VALUE = re.compile(r"(?:[Mm]y|[Oo]ur|[Tt]he|[Nn]ew) [\w' -]+ (?:is|are) (?:now )?[^ ]*\d")
_PROVIDED = re.compile(r"(?:only )?(?:if|unless)\b", re.IGNORECASE)
"""A condition at the beginning of a piece, which also applies to the piece before it."""
_HEDGED = re.compile(
    r"(?:oh )?sure,? (?=I (?:just |really |so )?(?:love|enjoy|adore)\b)"
    r"|(?:maybe|perhaps|hopefully|imagine|suppose|supposing|pretend|let us say|what if|yeah,? right|ha,? sure"
    r"|as if|according to)\b"
    r"|oh,? (?:great|joy|good|perfect|wonderful|fantastic|brilliant)\b[,!]? (?=I (?:just |really |so )?(?:love"
    r"|enjoy|adore))"
    r"|in (?:the|my|this|that) (?:book|novel|film|movie|game|story|dream|play|show|series|song|sketch|script|chapter"
    r"|scenario|scene|exercise)\b"
    r"|(?:for|as|in) (?:an? |the |my )?(?:(?:word|story|math|maths|physics|sample) )?(?:problem|example|exercise"
    r"|quiz|test question|worksheet|skit|scenario)[^.:]{0,20}:"
    r"|(?:tell|ask|remind) (?:him|her|them|me|us|[A-Z]\w+)\b|(?:example|e\.g\.|for example|say|translate"
    r"|write(?! (?:this|that|it) down)"
    r"|rewrite|draft|compose)\b",
    re.IGNORECASE,
)
"""At the beginning of a sentence, it makes all of it a supposition, fiction, irony or somebody else's words."""
_NOT_IN_EARNEST = re.compile(r"\b(?:said|says) (?:no one|nobody|noone|everyone)\b|\brole-?play", re.IGNORECASE)
_CAUSED = re.compile(r"\b(?:reminds|reminded|makes|made) (?:me|us|that|you|him|her|them|how|it|I|we|he|she)\b")
"""A cause of what somebody does or thinks; only this piece is left out."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A piece of a sentence with one verb. ``real`` is False if it is supposed, wished or reported, not stated."""

    text: str
    real: bool


def clauses(sentence: str) -> list[Clause]:
    """Return the clauses of ``sentence`` in order, without "oh", "well, Ben," and the like in front."""
    text = _BY_THE_WAY.sub("", _REMINDER.sub("", strip_openers(sentence)))
    text = _IN_CASE.sub("", text) if _STATES_A_VALUE.match(text) else text
    whole = _COUPLE.sub(lambda match: f"{match[1] or match[3]} and_{match[2] or match[4]} ", text)
    apart = _SOMEBODY_ELSEWHERE.sub(r"\1; ", whole)
    apart = _SOMEBODY_NEXT.sub(r"\1; ", apart) if _HIS_VERB.search(apart) else apart
    split = _CUTS.split(_AND_SOMEBODY.sub("; ", apart) if _OWN.match(apart) else apart)
    pieces = [strip_openers(_REMINDER.sub("", piece.replace(" and_", " and ").strip(" ,"))) for piece in split]
    found: list[Clause] = []
    doubtful = any(map(_HEDGED.match, (sentence.strip(), text))) or _NOT_IN_EARNEST.search(text) is not None
    conditional, reported = doubtful or any(map(_PROVIDED.match, pieces)), False
    for piece in pieces:
        reported = reported or bool(_REPORTED.search(piece))
        conditional = conditional or bool(_CONDITIONAL.search(piece))
        if piece:
            unreal = _UNREAL.search(piece) or _CAUSED.search(piece)
            found.append(Clause(piece, not (conditional or reported or unreal)))
    return found


def strip_openers(text: str) -> str:
    """Return ``text`` without interjections and the name of the addressee in front."""
    for _ in range(6):
        shorter = _OPENERS.sub("", _BEFORE_DEED.sub("", _TURNS_OUT.sub("", text)), count=1)
        shorter = _ANNOUNCED.sub("", _VOCATIVE.sub("", shorter, count=1), count=1)
        shorter = shorter[match.end() :] if (match := _NOW_WE.match(shorter)) else shorter
        if shorter == text:
            break
        text = shorter
    return text.strip(" ,")
