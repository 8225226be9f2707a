"""Standing instructions and preferences that a user gives to an assistant, read from the user's own words by rules.

"Always give version numbers when I ask about dependencies" and "From now on answer in metric units" hold until they are
changed; "Add a test to this file" does not. An instruction needs a sign that it is permanent: always, never, from now
on, whenever, "when I ask about …". Only messages of the role user are read, and of those only what the user wrote: not
code, not what is in quotation marks, and nothing below "Here is the mail:". Where two people talk with each other, they
give each other advice, not instructions. English only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mem0g.extract.protocol import Window
from mem0g.extract.rules.grammar.literals import FOREGONE
from mem0g.extract.rules.grammar.people import third_person
from mem0g.model import INSTRUCTS, LITERAL, PREFERS, Message, Triple
from mem0g.text import verbs
from mem0g.text.english import WEEKDAYS
from mem0g.text.names import normal_relation
from mem0g.text.stemming import content

MAX_WORDS = 60
"""Words of an instruction; a longer sentence is a task or pasted text."""

MAX_CHARACTERS, MAX_HEADING = 600, 200
"""Characters of a sentence that is read, and of a line that may introduce something pasted."""

SURE, FAIR = 0.9, 0.7
"""Confidence of an instruction and of a preference."""

OWN_WORDS = 0.5
"""Share of the content words of an instruction that the user's own words must have, so that it is not a pasted one."""


def with_instructions(window: Window, triples: Sequence[Triple]) -> tuple[Triple, ...]:
    """Return the triples of a window without instructions that are not the user's own, and with those missing.

    What rules find in a message replaces the preferences that were found there otherwise.
    """
    found = [triple for message in window.messages for triple in instructions(message, window)]
    own = {message.id: content(_own_words(message.text)) for message in _of_the_user(window)}
    known = {_core(each) for each in found}
    covered = {(each.evidence, PREFERS) for each in found if normal_relation(each.relation) == PREFERS}
    kept = [
        each
        for each in triples
        if _core(each) not in known
        and (each.evidence, normal_relation(each.relation)) not in covered
        and (normal_relation(each.relation) != INSTRUCTS or not each.object_is_literal or _is_own(each, own))
    ]
    return (*kept, *found)


def _core(triple: Triple) -> tuple[str, frozenset[str], tuple[str, ...]]:
    return normal_relation(triple.relation), content(triple.object), triple.evidence


def _is_own(triple: Triple, own: dict[str, frozenset[str]]) -> bool:
    """Whether the words of an instruction are the user's own, in the messages that are its evidence."""
    said = frozenset[str]().union(*(own.get(each, frozenset()) for each in triple.evidence))
    words = content(triple.object)
    return bool(words) and len(words & said) >= OWN_WORDS * len(words)


def _of_the_user(window: Window) -> list[Message]:
    """Return the new messages of the one user who talks with an assistant, none where several people talk."""
    seen = (*window.context, *window.messages)
    users = {each.speaker for each in seen if each.role == "user"}
    others = set(window.speakers) - {each.speaker for each in seen if each.role != "user"}
    return [each for each in window.messages if each.role == "user"] if len(users | others) == 1 else []


def instructions(message: Message, window: Window) -> Iterator[Triple]:
    """Yield the instructions and preferences that a message of the window states, and those it takes back."""
    if message not in _of_the_user(window):
        return
    for sentence, masked in _sentences(message.text):
        if found := _instruction(sentence, masked, message):
            yield found
        else:
            yield from _preferences(sentence, masked, message)


def _instruction(sentence: str, masked: str, message: Message) -> Triple | None:
    opener = _OPENERS.match(masked)
    start = opener.end() if opener else 0
    if masked.endswith("?") and (asking := _POLITELY.match(masked, start)):
        sentence, masked, start = sentence.rstrip(" ?"), masked.rstrip(" ?"), asking.end()
    words = masked[start:].rstrip(" ,;.!…")
    if len(words.split()) > MAX_WORDS or _OVERRIDES.search(words) or words.endswith("?"):
        return None
    said = sentence[start:].strip(" ,;.!…")
    if back := _BACK_TO_LANGUAGE.fullmatch(words):
        return _triple(f"answer in {back['language']}", f"Answer in {back['language']}", message)
    changing = _CHANGING.match(words)
    after = changing.end() if changing else 0
    allowed = _ALLOWED.fullmatch(words, after)
    if allowed and not _FOOD.fullmatch(allowed["thing"] or ""):
        part = "deed" if allowed["deed"] else "thing"
        said = f"do not {'' if part == 'deed' else 'use '}{sentence[start:][slice(*allowed.span(part))]}"
        return _triple(said, f"no longer: {said}", message, retracts=True)
    if taken_back := _RETRACTION.match(words):
        said = sentence[start + taken_back.end() :].strip(" ,;.!")
        said = said.partition(",")[0] if taken_back["limit"] else said
        return _triple(said, f"no longer: {said}", message, retracts=True) if len(content(said)) else None
    asked = "please " if opener and "please" in opener[0].lower() else ""
    if not _INSTRUCTION.match(asked + words[after:]):
        return None
    return _triple(said, said[:1].upper() + said[1:], message) if content(said) else None


def _triple(said: str, brief: str, message: Message, *, retracts: bool = False) -> Triple:
    what = _REASON.sub("", said)
    return Triple(
        subject=message.speaker,
        relation=INSTRUCTS.lower(),
        object=what if what.startswith(("I ", "I'")) else what[0].lower() + what[1:],
        text=f"{message.speaker} instructs: {brief}.",
        brief=brief,
        subject_type="person",
        object_type=LITERAL,
        evidence=(message.id,),
        retracts=retracts,
        confidence=SURE,
    )


def _preferences(sentence: str, masked: str, message: Message) -> Iterator[Triple]:
    for match in _PREFERENCE.finditer(masked):
        if _UNREAL.search(masked[: match.start()].rpartition(",")[2]):
            continue
        if match["rather"] and not _WHEN_POSSIBLE.search(masked[match.end() :]):
            continue
        end = _PREFERENCE_END.search(masked, match.end())
        what = sentence[match.end() : end.start() if end else len(masked)].strip(" ,;.!:")
        late = _NOWADAYS.search(what)
        what = what[: late.start()] if late else what
        if not content(what) or len(what.split()) > MAX_WORDS or what.split()[0].lower() in {"it", "that", "this"}:
            continue
        over = bool(match["over"]) or (match["not"] is not None and late is not None and "more" in late[0])
        if (over and "?" not in masked) or not (over or match["not"]):
            now = bool(late or match["now"] or match["lately"] or _NOW_BEFORE.search(masked[: match.start()]))
            what = third_person(re.sub(r"\bI['’]m\b", "I am", what), message.speaker, None)
            yield _preference(what, message, now=now, over=over)


def _preference(what: str, message: Message, *, now: bool, over: bool) -> Triple:
    """Return a preference, one that holds ``now`` in place of another one, or one that is ``over``."""
    verb = "no longer prefers" if over else "now prefers" if now else "prefers"
    return Triple(
        subject=message.speaker,
        relation=PREFERS.lower(),
        object=what,
        text=f"{message.speaker} {verb} {what}.",
        subject_type="person",
        object_type=LITERAL,
        evidence=(message.id,),
        retracts=over,
        confidence=FAIR,
    )


_HIDDEN = "\x1a"
_CODE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|`[^`\n]+`", re.DOTALL)
_QUOTED = re.compile(r"\"[^\"]{1,5000}\"|“[^“”]{1,5000}”|«[^«»]{1,5000}»|(?<!\w)['‘][^'‘’\n]{15,1000}['’](?!\w)")
_ASIDE = re.compile(r"^(?:\s{0,3}>| {4,}|\t|\s{0,3}(?:#|//|--|\|)).*$", re.MULTILINE)
"""A line that is quoted, indented as code, a comment, a heading or a row of a table."""
_INTRODUCES = re.compile(
    r":\s*$|\b(?:here (?:is|are)|here['’]s|the following|pasted?|below)\b|^\s*(?:-{3}|={3})"
    r"|^\s*(?:From|Subject): ",
    re.IGNORECASE,
)
"""A line that introduces pasted text, unless it announces rules."""
_ANNOUNCES = re.compile(r"\b(?:rules|instructions|guidelines|preferences|from now on)\b", re.IGNORECASE)
_END = re.compile(r"(?<=[.!?…])(?<!\b[DMS][rst]\.)(?<!\b(?:Mrs|e\.g|i\.e)\.)(?<!\bProf\.)[\"')\]]*\s+|\n+")
"""The end of a sentence, not of a title: "Call me Dr. Weber"."""
_BULLET = re.compile(r"\s{0,3}(?:[-*•]|\d{1,2}[.)])\s+")


def _masked(text: str) -> str:
    """Return ``text`` with every character that is not the user's own replaced, so that the places stay the same."""
    for pattern in (_CODE, _QUOTED, _ASIDE):
        text = pattern.sub(lambda match: _HIDDEN * len(match[0]), text)
    kept = 0
    for line in text.splitlines(keepends=True):
        kept += len(line)
        if len(line) <= MAX_HEADING and _INTRODUCES.search(line) and not _ANNOUNCES.search(line):
            break
    text = text[:kept] + _HIDDEN * (len(text) - kept)
    return text.replace("’", "'")


def _own_words(text: str) -> str:
    return _masked(text).replace(_HIDDEN, "")


def _sentences(text: str) -> Iterator[tuple[str, str]]:
    """Yield the user's own sentences, each as written and with quotations hidden."""
    masked, start = _masked(text), 0
    for end in (*(match.end() for match in _END.finditer(masked)), len(masked)):
        sentence, hidden = text[start:end], masked[start:end]
        start = end
        bullet = _BULLET.match(hidden)
        skip = bullet.end() if bullet else len(hidden) - len(hidden.lstrip())
        sentence, hidden = sentence[skip:].rstrip(), hidden[skip:].rstrip()
        if len(hidden) <= MAX_CHARACTERS and hidden.strip(_HIDDEN + " "):
            yield sentence, hidden


_OPENERS = re.compile(
    r"(?:(?:ok(?:ay)?|also|and|but|so|oh|hey|hi|hello|thanks|thank you|great|no(?=\W*[,.:;!])|well|now|by the way|btw"
    r"|(?:one|another) (?:more |other )?thing|note|reminder|important|in general|generally|sorry|wait|hm+|yes|then"
    r"|as a rule|a (?:standing )?(?:rule|request|wish)(?: for you)?|my (?:rule|wish|request) is)\b[\s,:;.!–-]+)+"
    r"(?:please,? )?|please,? ",
    re.IGNORECASE,
)
_CHANGING = re.compile(r"(?:(?:actually|on second thought|instead)\b[\s,:;–-]*(?:please,? )?)+", re.IGNORECASE)
"""Words that are kept in front of an instruction, as they say that another one is changed."""
_FROM = (
    r"(?:from (?:now|here|this point|today|here on) (?:on|out|forward|onwards?)(?: out)?|going forward|moving forward"
    r"|in (?:the )?future|for (?:all )?future [\w ]+?|henceforth|for the rest of (?:this|our|the) \w+"
    r"|in (?:all|any|every|each) (?:of )?(?:your |future |my )*(?:answers?|repl(?:y|ies)|responses?|messages?|cases?)"
    r"|at all times|until (?:further notice|I (?:say|tell)\b.*))"
)
_PARTICIPLES = "|".join(sorted({f for base, forms in verbs.IRREGULAR.items() for f in forms if f != base} - {"read"}))
_DOING = (
    rf"(?!(?:{_PARTICIPLES}|mind|forget|love|hate|like|enjoy|feel|think|wonder|wish|hope|want|need|know|have|had|has|am"
    r"|is|are|happy|good|great|nice|fun|glad|open|here|there|a|an|the|my|your|our|this|that|these|those|it|he|she|they"
    r"|we|you|something|someone|in|on|at|by|with|for|from|as|to|too|so|been|again|more|less|will|would|can|could"
    r"|shall|should|must|may|might|ever|before|after|once|if|when|what|who|how|why|where|and|or|but)\b|i\b|i'|\w+'s\b)"
    r"(?:(?:embed|proceed|bring|exceed|succeed|reply|supply|multiply|comply)\b"
    r"|(?!\w+(?:ed|ing|ly)\b)[a-z]{2,})"
)
"""The base form of any verb: no function word, participle, gerund or adverb, and none of what happens to oneself."""
_NO_DEED = (
    r"(?:ever )?(?:(?:late|early|ready|hungry|thirsty|tired|sleepy|busy|angry|mad|sad|sick|ill|cold|wet|right|wrong"
    r"|polite|rude|funny|kind|loud|nervous|anxious|grumpy|moody|punctual|reliable|quiet(?! down)|slow(?! down)"
    r"|(?:short|low) (?:of|on)|(?:last|first|second) (?:to|in|out))\b"
    r"|\w+, (?:that|this|the|those|these|my|our|his|her|their|he|she|they|it|you|I|we)\b"
    r"|(?!focus|canvas|bias)[a-z]+(?<!s)s\b|say (?:never|always|die)\b|(?:eat|drink|smoke|wear|marry|date|kiss|sleep"
    r"|lend|borrow|swim|drive|ride|fly|travel|dance|drop out|judge|bring(?! up)|look (?:on|a)|skip (?:leg|breakfast"
    r"|lunch|dinner|school)|go (?:to bed|full)|work with (?:children|kids|animals|friends|family))\b"
    r"|trust (?:an?|any\w*|people|men|women|strangers|politicians|doctors)\b)"
)
"""After "always" or "never", no deed that an assistant is asked for: what somebody is or does, and advice on life."""
_IN_JEST = r".*(?:\b(?:ha(?:ha)+|lol|lmao)|, ?(?:people|everyone|everybody|folks|kids|lads|guys|ladies))\W*$"
_ASSISTING = (
    "(?:add|address|answer|ask|assume|avoid|break|call|check|cite|comment|consider|convert|describe|do|double-check"
    "|end|ensure|explain|express|format|give|highlight|include|indicate|keep|leave|limit|list|make|mark|mention|name"
    "|offer|omit|order|phrase|point|present|prefer|prioriti[sz]e|propose|provide|put|quote|recommend|refer|remind|reply"
    "|report|respond|restrict|return|round|say|show|skip|sort|speak|specify|spell|start|state|stay|stick|structure"
    "|suggest|summari[sz]e|take|talk|tell|translate|treat|use|warn|wrap|write)"
)
_EVER = r"(?:always|never(?: ever)?)"
_PLEASE = (
    r"(?:please,? |kindly |just |only |also |then |always |never |do not |don't |ever |make sure (?:to |you |that you )"
    r"|be sure to |remember to |try to |I (?:want|need|would like|'d like) you to |I'd like you to "
    r"|you (?:should|must|need to|have to|can) |,)*"
)
_ASK = (
    r"(?:ask|mention|say|request|want|need|send|share|paste|show|give|talk|write|type|tell|upload|refer|bring|discuss"
    r"|am asking|'m asking|am talking|inquire)"
)
_WHEN = r"(?:when(?:ever)?|every time|each time|any ?time|if)"
_CONDITION = rf"{_WHEN} (?:I (?:ever )?{_ASK}\b|you (?:ever )?{_ASSISTING}\b|(?:your|the) (?:answer|reply|response)\b)"
_MANNER = (
    r"(?:emojis?|emoticons|exclamation (?:marks|points)|semi-?colons|bullets?(?: points?| lists?)?|numbered lists"
    r"|lists|tables|markdown|headings|headers|footnotes|hashtags|jargon|slang|swearing|curse words|small talk|filler"
    r"|fluff|waffle|disclaimers"
    r"|caveats|apologies|flattery|compliments|lectures|em[- ]dashes|abbreviations|acronyms|preambles?"
    r"|pleasantries)"
)
"""What an assistant is asked to leave out of whatever it writes."""
_TONGUE = r"(?-i:[A-Z])[a-z]+(?:ish|ese|ian|man|ch|ic|ek|ew|ean|ali|urdu|indi)"
_LANGUAGE = rf"(?:(?:British|American|plain|simple|Brazilian|Swiss) )?{_TONGUE}"
_TO_ANSWER = r"(?:answer|reply|respond|speak|talk|write)(?: to me)?"
_UNITS = r"(?:metric|imperial|SI|24[- ]hour|12[- ]hour|celsius|fahrenheit|kilomet(?:re|er)s|miles)"
_ANSWERS = r"(?:answers|replies|responses|explanations|messages)"
_FORMS = (
    rf"(?:please,? |kindly |you (?:should |must |need to ))+{_EVER},? (?:please )?{_DOING}\b(?!$)",
    rf"{_EVER},? (?:please )?(?!{_NO_DEED}|{_IN_JEST}){_DOING}\b(?!$)",
    rf"{_FROM},? (?:on,? )?{_PLEASE}{_DOING}\b",
    rf"{_PLEASE}{_ASSISTING}\b.*\b{_FROM}$",
    rf"(?:please )?{_TO_ANSWER} (?:only )?in {_LANGUAGE}\b(?:,? please)?,? always\b",
    rf"(?:please )?(?:remember|make sure|be sure) to {_TO_ANSWER} in {_LANGUAGE}\b",
    rf"{_PLEASE}{_ASSISTING}\b.*\b{_CONDITION}",
    rf"{_CONDITION}[^?]*?, ?{_PLEASE}{_DOING}\b",
    rf"{_WHEN} I (?:ever )?{_ASK} (?:you )?for [^,?]{{2,50}}? (?:just |only |please )*"
    r"(?:skip|put|give|show|leave|keep|include|start|do not|don't)\b",
    rf"{_WHEN} [^?]*?, ?(?:please )?{_EVER} {_DOING}\b",
    rf"(?:for|in|with|during|on) [^,?]{{2,60}}, ?(?:please )?{_EVER} {_DOING}\b",
    rf"(?:please )?I (?:want|need|expect|prefer|would (?:like|prefer)|'d (?:like|prefer)) (?:it if )?you (?:to )?.*"
    rf"\b(?:{_EVER} {_DOING}\b|{_FROM}|{_CONDITION})",
    r"I(?: would|'d) (?:like|prefer) it if you (?:always|never) ",
    rf"(?:please )?(?:make sure|be sure|remember|see to it)(?: to| that)?(?: you)? {_EVER} {_DOING}\b",
    r"(?:please )?(?:stop|quit) (?:\w+ly )?(?:add|address|answer|apologi[sz]|ask|call|end|format|giv|includ|list|mak"
    r"|mention|offer|provid|put|quot|recommend|remind|repeat|reply|respond|say|show|start|suggest|summari[sz]|tell|us"
    r"|writ)\w*ing\b",
    rf"(?:please )?(?:do not|don't) (?:ever )?{_ASSISTING}\b.*\b(?:again|any ?more|ever)$",
    rf"{_PLEASE}{_ASSISTING}\b.*\bunless I (?:ask|say|tell|want|request|mention|need)\b",
    rf"I(?:'d| would) (?:rather|prefer(?: it)?(?: if| that)?) you (?:did not|didn't|not) {_ASSISTING}\b",
    rf"(?:please,? )?no (?:more )?{_MANNER}(?:(?:, | or | and ){_MANNER})*(?:,? please| unless I ask(?: for \w+)?)?$",
    rf"(?:much |even )?(?:(?:shorter|longer|simpler|clearer) {_ANSWERS})(?:,? please)?$",
    rf"(?:please )?use (?:only )?{_UNITS}(?: units?| system| measurements?| time| format| clock)?(?: please)?$",
    rf"(?:please )?keep (?:all )?(?:your |the )?{_ANSWERS} ",
    rf"(?:please )?(?:give|write|send)(?: me)? (?:much |a bit |even )?(?:(?:more|less) \w+|short|brief|simple|\w+er)"
    rf" {_ANSWERS}(?:,? please)?(?:$|,)",
    r"(?:do not|don't|never|stop) call(?:ing)? me (?-i:[A-Z])[\w.'-]*(?:,? please)?$",
    rf"(?:please )?(?:call|address) me (?:as )?(?!(?:{'|'.join(WEEKDAYS)}|(?-i:On|At|In|I))\b)"
    r"(?-i:[A-Z])[\w.'-]*(?: (?-i:[A-Z])[\w.'-]*){0,3}(?:,? please)?$",
)
_INSTRUCTION = re.compile("|".join(_FORMS), re.IGNORECASE)
_POLITELY = re.compile(
    rf"(?:can|could|would|will) you (?:please |kindly |maybe |just )*(?=(?:{_EVER} |{_FROM},? )?{_ASSISTING}\b)",
    re.IGNORECASE,
)
"""How an instruction is put as a question: "Could you always answer in German?"."""
_RETRACTION = re.compile(
    r"(?:please )?(?:you (?:can|may|could) (?:now |just )?(?:stop|drop|skip|leave out|forget(?: about)?|ignore)"
    r"|(?:there(?:'s| is) )?no (?:more |longer any )?need (?:to|for)"
    r"|you (?:do not|don't|no longer) (?:have|need) to|you needn't"
    r"|(?:forget|never mind|ignore|drop|scrap) (?:about )?(?:what I said (?:about|on)|(?:my|the) (?:\w+ )?"
    r"(?:instruction|request|rule|preference|wish)s? (?:about|to|for|on|that|of)"
    r"|(?P<limit>my|the|that) (?=(?:[\w-]+ ){1,4}(?:limit|rule|thing|ban|restriction)(?:$|,)))"
    r"|I (?:do not|don't|no longer) (?:need|want) (?:you to )?(?=.*\bany ?more\b|.*\bany longer\b|(?<=longer want )"
    r"|(?<=longer need )|(?<=want you to )))\s*",
    re.IGNORECASE,
)
_ALLOWED = re.compile(
    r"(?:(?:please )?(?:you (?:can|may|could|are (?:free|allowed|welcome) to)|feel free to|go ahead and|start|resume"
    r"|go back to|(?:it's|it is|I'm|I am) (?:fine|ok|okay|all right|alright)(?: with you| for you)?(?: to)?"
    r"|(?=use |add |include |give |show |say |write |mention ))"
    r" ?(?:now |start |go back to )?(?P<deed>[a-z]{2,} .{2,80}?)"
    r"|(?P<thing>(?!(?:it|that|this|these|those|everything|all) )[\w -]{3,40}?) (?:is|are) "
    r"(?:fine|ok|okay|allowed|welcome|all right|alright)),? (?:again now|now again|now|again|after all)(?:, .*)?",
    re.IGNORECASE,
)
"""What was forbidden and is allowed again."""
_FOOD = re.compile(FOREGONE, re.IGNORECASE)
_BACK_TO_LANGUAGE = re.compile(
    rf"(?:you (?:can|may|could) |let's )?(?:switch|go|change) back to (?P<language>{_TONGUE})"
    r"(?: (?:now|again|from now on))*(?:,? please)?",
    re.IGNORECASE,
)
"""A language that is spoken again."""
_REASON = re.compile(
    r"(?<=\w), (?:I(?:'m| am| hate| love| prefer| read)\b|because\b|since I\b|as I\b)[^,;]*$", re.IGNORECASE
)
"""Why an instruction is given, at its end: "write shorter answers, I'm on a phone"."""
_OVERRIDES = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass|reveal|print)\b.{0,40}\b(?:previous|prior|above|earlier|all|your"
    r"|system)\b.{0,30}\b(?:instructions?|prompts?|rules|guidelines|messages)\b|\bsystem prompt\b|\bjailbreak",
    re.IGNORECASE,
)
"""An attempt to override the assistant's own instructions, which a memory must not repeat."""

_PREFERENCE = re.compile(
    r"(?<![\w'])(?:I(?:'d| would)?(?: (?:really|also|generally|usually|always|strongly|still|definitely|personally"
    r"|much|tend to|typically|normally|actually|(?P<now>now|currently)|(?P<over>no longer|used to)"
    r"|(?P<not>do not|don't)))? prefer(?: to (?=have|use|get|see|keep|work|read|write|be)|ring)?"
    r"|my preference is(?P<lately> now)?(?: for| to)?|I have a (?:strong )?preference for|my preference for"
    r"|(?P<rather>I(?:'d| would)(?: \w+)? rather))(?= )",
    re.IGNORECASE,
)
_NOWADAYS = re.compile(r",? (?:now|these days|nowadays|lately|at the moment|any ?more|any longer)$", re.IGNORECASE)
_NOW_BEFORE = re.compile(r"\b(?:now|these days|nowadays|lately|on second thought|actually),?\s*$", re.IGNORECASE)
_WHEN_POSSIBLE = re.compile(
    r"\b(?:(?:when|where|if)(?:ever)? (?:possible|I can|it works)|in general|generally|usually)\b", re.IGNORECASE
)
_UNREAL = re.compile(
    r"\b(?:if|whether|do|does|did|would|should|might|maybe|unless|like|as"
    r"|(?:(?:do|did|would) you (?:think|know|believe)|says?|said|thinks|thought|claims|told \w+)"
    r"(?: that| if| whether)?)\s*$",
    re.IGNORECASE,
)
_PREFERENCE_END = re.compile(
    r"[.!?;](?=\s|$)|\x1a|\s[-–—]\s|,? (?:(?:so|and|but) )?(?:(?:can|could|would|will|do|does) you|how (?:can|do|should"
    r"|would|could)|what(?:'s| (?:is|are|would|do|should|can))|should I|do I)\b"
    r"|, (?:so|and|but|considering|given|since|because|although|though|especially|which|even|now|as|I|however)\b"
    r"| (?:but|so) (?:I|how|what|can)\b",
    re.IGNORECASE,
)
