"""Text in a message that is not its author's own statement: its "I" is somebody else, or it is not meant."""

from __future__ import annotations

import re

_ASKING = (
    r"(?:(?:ok(?:ay)?|hi|hey|hello|so|and|also|now|then|thanks|please|kindly|(?:can|could|would|will) you"
    r"|help me(?: to)?|I (?:want|need|would like|'d like) you to|let's)[,!]? +)*"
)
_TEXT = (
    r"(?:e-?mail|mail|letter|message|text|reply|response|answer|note|post|tweet|caption|speech"
    r"|story|poem|dialogue|conversation|script|scene|monologue|paragraph|sentences?|essay|article|review|ad|draft)"
)
_NEW = rf"(?:write|draft|compose)\b[^.:!?\n]{{0,100}}?\b{_TEXT}"
_GIVEN = (
    r"(?:translate|re-?write|re-?phrase|paraphrase|proof-?read|polish|re-?word|summari[sz]e|shorten|edit|correct)\b"
    rf"[^.:!?\n]{{0,100}}?\b(?:{_TEXT}|this|these|following)"
)
_REQUEST = re.compile(
    rf"(?:^|(?<=[.!?\n] )|(?<=\n)){_ASKING}(?:{_NEW}|{_GIVEN})\b[^.:!?\n]{{0,60}}:(?=\s)", re.IGNORECASE
)
"""A request that ends in a colon, after which the text or what it is to say follows."""

_OF_THIS = re.compile(
    rf"(?:^|(?<=[.!?\n] )|(?<=\n)){_ASKING}(?:translate|re-?write|re-?phrase|paraphrase|proof-?read|polish|re-?word"
    rf"|summari[sz]e|shorten|edit)\b[^.:!?\n]{{0,30}}?\b(?:this|these|the following)(?: {_TEXT})?"
    r"(?:,? (?:for (?:me|us)|please|below|(?:in)?to [a-z]+))*[.!?\n](?=\s|$)",
    re.IGNORECASE,
)
"""A request about "this", after which the text follows without a colon."""
_AS_ANOTHER = re.compile(
    r"(?:^|(?<=[.!?\n] )|(?<=\n))(?:(?i:let us|let's|please|now|ok|okay),? ){0,3}(?i:pretend|imagine)(?i: that)? "
    r"(?i:you are|you're|you were|to be|I am|I'm|we are|we're) (?=(?!I\b)[A-Z])"
)
"""A request to play somebody who has a name, which makes the message a scene."""
_FORWARDED = re.compile(
    r"(?:^|(?<=[.!?\n] )|(?<=\n))(?:fwd?|forwarded|forwarding)\b[^:.!?\n]{0,60}:(?=\s)", re.IGNORECASE
)
_SAYING = (
    r"(?:says|said|writes|wrote|texts|texted|replies|replied|answered|messaged|emailed|tweeted|posted"
    r"|(?:tells|told|keeps telling|sent) (?:me|us|everyone))"
)
_ANOTHER_SAYS = re.compile(
    rf"(?:^|(?<=[.!?\n] )|(?<=\n))(?!(?:[\w',]+ ){{0,8}}?(?:I|we)(?: \w+){{0,2}} {_SAYING}\b)(?:[\w',-]+ ){{1,8}}?"
    rf"{_SAYING}(?: [a-z]+){{0,3}}: (?:I|my|we|our)\b[^\n]*",
    re.IGNORECASE,
)
"""What somebody else says, after a colon and without quotation marks: "My mum always says: I hate cooking"."""
_NOT_MEANT = re.compile(
    r"(?:(?<=[.!?\n] )|(?<=, )|(?<=\n))(?:NOT(?=[.!]*\s*(?:$|\n))"
    r"|(?i:(?:I am |I'm |im )?(?:just |only )?(?:kidding|joking)|lies)(?=\s*(?:$|[.,!\n]))[.,!]*)"
    r"|(?<=\s)(?i:jk|j/k|/s)(?=\s*(?:$|[.,!\n]))[.,!]*"
)
"""Words after a sentence that take it back: "I love waiting in line. NOT."."""
_BETWEEN = re.compile(r"[.!?\n]+\s")


def without_draft(text: str) -> str:
    """Return ``text`` without what its author does not say of themselves, or not in earnest.

    This is what follows a request to write or change it, "Write an email: Hi, I'm Susan.", or to play somebody, what
    is forwarded or reported after a colon, and a sentence before "just kidding" and the like.
    """
    for start in (_REQUEST, _OF_THIS, _AS_ANOTHER, _FORWARDED):
        match = start.search(text)
        text = text[: match.end()] if match else text
    return _in_earnest(_ANOTHER_SAYS.sub("", text))


def _in_earnest(text: str) -> str:
    """Return ``text`` without the sentences that the words after them take back."""
    kept, done = [], 0
    for match in _NOT_MEANT.finditer(text):
        before = text[done : match.start()].rstrip(" .!?,\n")
        *_, last = (0, *(end.end() for end in _BETWEEN.finditer(before)))
        kept.append(before[:last])
        done = match.end()
    return "".join((*kept, text[done:].lstrip() if done else text))
