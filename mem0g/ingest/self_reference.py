"""Facts given as triples that call the user "I" or "the user": the user's name takes the place of such words."""

from __future__ import annotations

import re
from typing import Final, TypeVar

from mem0g.errors import InputError, quoted
from mem0g.resolve.names import has_possessive_pronoun, owned_by
from mem0g.text.names import fold, is_user

End = TypeVar("End", str, str | None)
"""An end of a fact; None where it is not given."""

_PRONOUNS: Final = frozenset(
    "he him himself she her herself it itself they them themselves we us ourselves you yourself".split()
)
_NAMES: Final = frozenset(("IT", "ME", "US"))
"""A department, a state and a country, which are spelt as pronouns are."""

_MINE: Final = re.compile(r"(?:my|our) (?=\S)", re.IGNORECASE)
_OF_THE_USER: Final = re.compile(r"(?:the )?user['’]s (?=\S)", re.IGNORECASE)

_FIRST_PERSON: Final = re.compile(r"\b(?:I|i|[Mm]e|[Mm]y|[Mm]ine|[Mm]yself|[Ww]e|[Oo]ur|us)\b")
_LEADING: Final = re.compile(r"^(?:I|Me|My|Mine|Myself|We|Our)\b", re.IGNORECASE)
_CONTRACTION: Final = re.compile(r"\bI['’]\w+(?: \w+)?|\b\w+n['’]t\b", re.IGNORECASE)
_USER_FIRST: Final = re.compile(r"^(?:the )?user(?=['’]s\b| )", re.IGNORECASE)
_THE_USER: Final = re.compile(r"\bthe user(?=['’]s\b|[.,;:!?)]|$)", re.IGNORECASE)
_USER_AS_SUBJECT: Final = re.compile(
    r"(?:\bthe user|(?:^|(?<=[.!?] ))user)"
    r"(?= (?:(?:\w+ly|also|always|both|ever|just|never|no longer|now|often|soon|sometimes|still) )*(?P<verb>[\w'’]+))",
    re.IGNORECASE,
)
_AFTER_THE_USER: Final = frozenset(
    "is isn't has hasn't does doesn't will won't would wouldn't can can't cannot could couldn't may might must shall"
    " should shouldn't and".split()
)
"""Words, besides other verbs, by which a sentence goes on after "the user" as its subject."""


def with_user_named(
    subject: End, obj: End, text: str | None, user: str | None, *, literal: bool = False
) -> tuple[End, End, str | None]:
    """Return the ends of a fact, and its sentence if there is one, with the user's name for "I", "my" and "the user".

    Of a sentence without ends only "the user" is named: "I" is the one who says it. A ``literal`` object stays as it
    is. Raises InputError for any other pronoun as an end, and for "I" where ``user`` is None.
    """
    named = _named(subject, user, subject=True)
    named_obj = obj if literal else _named(obj, user, subject=False)
    if user is not None and text and subject is None and obj is None:
        return None, None, _with_subject_named(text, user)
    if user is None or not text or (named, named_obj) == (subject, obj):
        return named, named_obj, text
    if named != subject:
        text = _USER_FIRST.sub(lambda _: user, text.strip())
    return named, named_obj, _in_third_person(_THE_USER.sub(lambda _: user, text), user)


def _named(end: End, user: str | None, *, subject: bool) -> End:
    """Return an end of a fact with the user's name; as an object "It" and "Her" with a capital are titles."""
    if end is None or end.strip() in _NAMES:
        return end
    name = fold(end)
    if name in _PRONOUNS and (subject or end.strip() == name):
        raise InputError(f"{quoted(end)} is a pronoun", hint='give the name; "I" is the user')
    if is_user(name):
        if user is None:
            raise InputError(f"{quoted(end)} is the user, and none is given", hint="give the name, or a user_id")
        return user
    if user and _OF_THE_USER.match(end):
        return f"{user}'s {_OF_THE_USER.sub('', end, count=1)}"
    return owned_by(user, end) if user and _MINE.match(end) and has_possessive_pronoun(end) else end


def _with_subject_named(text: str, user: str) -> str:
    """Return a sentence with the user's name for "the user", and for "user" where a verb follows: not a user story."""
    from mem0g.extract.rules.grammar.verb_phrases import BASES, is_past  # sentences are rarely about "the user"

    def named(match: re.Match[str]) -> str:
        verb = match["verb"].lower().replace("’", "'")
        return user if verb in _AFTER_THE_USER or verb in BASES or is_past(verb) else match[0]

    return _THE_USER.sub(lambda _: user, _USER_AS_SUBJECT.sub(named, text.strip()))


def _in_third_person(text: str, user: str) -> str:
    """Return a sentence in the first person with the user's name as its subject."""
    if not _FIRST_PERSON.search(text):
        return text
    from mem0g.extract.rules.grammar.people import third_person  # few facts need the grammar
    from mem0g.extract.rules.grammar.spellings import plain

    text = _LEADING.sub(lambda match: match[0] if match[0] == "I" else match[0].lower(), text)
    text = re.sub(r"\bi\b", "I", _CONTRACTION.sub(lambda match: plain(match[0]), text))
    return third_person(text, user, None)
