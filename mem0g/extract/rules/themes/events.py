"""What people did, are doing and plan to do: patterns made from the table of verbs, and open ones for other verbs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from mem0g.extract.rules.grammar.verb_phrases import Pattern, Verb, verbs
from mem0g.text.verbs import gerund, participle, past

_KINDS = {
    "visitable": "visitable",
    "place": "place",
    "takeable": "business",
    "ownable": "job_or_thing",
    "makeable": "made",
    "seeable": "seen",
    "startable": "begun",
    "openable": "owned",
    "race": "race",
    "course": "event",
    "learnable": "hobby",
    "party": "event",
    "bodypart": "body",
    "findable": "job_or_thing",
    "fixable": "owned",
}
"""Readers of the object kinds of the verb table, where they are called otherwise."""

_PLANNED = r"(?:<be> (?:\w+ )?(?:planning|going|set|aiming|preparing) to|<plan> to|<have> decided to|decided to)"
_GOING = r"(?:<be> planning on)"
_WANTED = (
    r"(?:<want> to|<have> (?:always )?wanted to|<been> wanting to|<hope> to|<be> hoping to|<dream> of being able to)"
)

_NO_HABIT = r"(?!.* (?:most|every|each|usually|often)\b)"
_AWAY = (
    r"(?:(?:away )?on (?:(?:annual|maternity|paternity|parental|sick|study|unpaid) )?(?:holidays?|vacation|leave)"
    r"|away|out of (?:the )?office|off(?: work| sick)?(?= \u27e6))"
    rf"{_NO_HABIT}"
)

_NOT_ALONG = r"(?!(?:degree|career|talents?|skills?|business|custom|money|complaints?|case) )"
"""What one takes somewhere without being said to travel: "took my degree to Berlin"."""
_FIXED = (
    Pattern(
        r"<be> planning (?:a|our|my) (?:\w+ )?(?:trip|vacation|holiday|visit) to",
        "plans_to_visit",
        "place",
        "place",
        mode="plan",
    ),
    Pattern(
        r"(?:<have> )?(?:(?:booked|got|bought) (?:a |our |my |the |some )?(?:(?:train|plane|bus|flight|ferry) )?"
        r"(?:(?:flights?|trip|holiday) (?:to|for|in)|tickets? to)"
        r"|booked (?:a |our |my |the |some )?(?:hotel|room|cottage|apartment) (?:to|for|in))",
        "plans_to_visit",
        "place",
        "place",
        mode="booking",
    ),
    Pattern(
        r"(?:(?:<have> )?(?:bought|got|booked|ordered|purchased|reserved)|<have>) (?:(?:a|an|the|our|my|some|two"
        r"|three|four|\d"
        r"|\w+) ){0,2}tickets? (?:for|to)",
        "plans_to_attend",
        "occasion",
        "event",
        mode="booking",
    ),
    Pattern(
        r"(?:<have> )?(?P<verb>booked|reserved|scheduled|arranged|signed|registered|enrolled|enroled)"
        r"(?P<particle> up for| for| in| on)?",
        "",
        "thing",
        mode="booking",
    ),
    Pattern(r"<have> (?P<verb>rented|hired)", "", "thing", mode="booking"),
    Pattern(rf"(?:<be>|will be|<be> going to be) {_AWAY}", "is_away", "date", "date", mode="plan"),
    Pattern(
        r"<have>(?: got)? off(?= \u27e6)",
        "is_away",
        "date",
        "date",
        mode="plan",
    ),
    Pattern(
        r"(?P<verb>fly|leave|move|travel|ship|launch|release|publish)(?: in| out| home| back)?(?= \u27e6)",
        "plans_to",
        "date",
        "date",
        mode="plan",
        soon=True,
    ),
    Pattern(r"(?P<verb>ship|launch|release|publish)", "plans_to", "thing", mode="plan", soon=True),
    Pattern(
        r"<be> moving(?: house| home| out| in)?(?= \u27e6)", "plans_to_move", "date", "date", mode="plan", soon=True
    ),
    Pattern(
        r"<be> (?:doing|sitting|taking|resitting)(?= (?:my|his|her|their|the) )",
        "plans_to_attend",
        "exam",
        mode="plan",
        soon=True,
    ),
    Pattern(r"(?:<have> )?moved house(?= \u27e6)", "moved", "date", "date", mode="event"),
    Pattern(r"<be> flying(?: out| home| back)?(?= \u27e6)", "plans_to_fly", "date", "date", mode="plan", soon=True),
    Pattern(r"(?:fly|flies)(?: out| back)? to", "plans_to_visit", "place", "place", mode="plan", soon=True),
    Pattern(r"<be> starting|starts?", "plans_to_start", "own_job", "activity", mode="plan", soon=True),
    Pattern(r"<be> starting|starts?(?= my new\b)", "plans_to_start", "definite", mode="plan", soon=True),
    Pattern(
        r"(?:<have> )?(?:got|made|arranged)(?= (?:an?|the|my|our) (?:[\w-]+ ){0,2}(?:(?:appointment|interview"
        r"|viewing|consultation)\b|(?:test|exam|scan|viva|audition|hearing)(?= \u27e6)))",
        "plans_to_attend",
        "event",
        mode="plan",
        soon=True,
    ),
    Pattern(
        r"<have>(?: got)?(?= (?:an?|my|the|our) (?:[\w-]+ ){0,2}(?:review|scan|viewing|consultation|induction"
        r"|assessment|update|hearing|inspection|MOT|mot) \u27e6)",
        "plans_to_attend",
        "definite",
        mode="plan",
        soon=True,
    ),
    Pattern(rf"<be> (?:out|off|away)(?= \u27e6){_NO_HABIT}", "is_away", "date", "date", mode="plan", soon=True),
    Pattern(r"(?:<be>|will be) back(?: home)?(?= \u27e6)", "returns", "date", "date", mode="plan", soon=True),
    Pattern(
        r"<be> (?:coming|arriving|visiting)(?: over| up| down| round| here| home| back)?"
        r"(?: to (?:visit|stay)(?: me| us)?)?(?= \u27e6)",
        "plans_to_come",
        "date",
        "date",
        mode="plan",
        soon=True,
    ),
    Pattern(rf"<been> {_AWAY}", "is_away", "date", "date", since=True),
    Pattern(rf"<was> {_AWAY}", "was_away", "date", "date", mode="event"),
    Pattern(r"will be in|<be> in", "plans_to_visit", "place", "place", mode="plan", soon=True),
    Pattern(
        r"<be> not (?:going|flying|travell?ing|heading) to(?=.*\b(?:after all|any ?more)\b)",
        "plans_to_visit",
        "place",
        "place",
        mode="booking",
        retracts=True,
    ),
    Pattern(
        r"(?:<have> )?(?:cancell?ed|called off) (?:the|our|my) (?:\w+ )?(?:trip|flights?|vacation"
        r"|holiday|visit|hotel|cottage) (?:to|in)",
        "plans_to_visit",
        "place",
        "place",
        mode="booking",
        retracts=True,
    ),
    Pattern(
        r"(?:<have> )?(?:went|gone|took (?:a|my \w+ on a) (?:\w+ )?trip"
        r"|been) (?:on (?:a )?(?:\w+ )?(?:trip|vacation|holiday) )?to",
        "visited",
        "visitable",
        mode="event",
    ),
    Pattern(rf"took (?:my|our|the) {_NOT_ALONG}[\w' ]{{2,25}}? (?:to|on)", "visited", "visitable", mode="event"),
    Pattern(
        r"(?:<have> )?had (?:(?:a|an|so much|such a|lots of|a ton of|a lot of|the most) )?"
        r"(?:(?:great|good|awesome|amazing|nice|incredible|wonderful|fantastic|super|fun) )?"
        r"(?:blast|fun|time|experience|adventure)(?= \w+ing\b)",
        "enjoyed",
        "hobby",
        "activity",
        mode="event",
    ),
    Pattern(r"(?:<have> )?(?:had(?! [a-z]+ed\b)|attended)", "had", "event", mode="event"),
    Pattern(r"took (?:my|our|the) [\w']{2,15}", "went", "going", "activity", mode="event"),
    Pattern(r"<have>(?: got)?(?! \w+ed (?:my|our|the)\b)", "plans_to_attend", "event", mode="plan", soon=True),
    Pattern(
        r"(?:got back from|came back from|returned from|<be> back from)",
        "visited",
        "place",
        "place",
        mode="event",
    ),
    Pattern(r"(?:<have> )?went", "went", "going", "activity", mode="event"),
    Pattern(r"<be> going(?=.*\u27e6)", "plans_to_go", "going", "activity", mode="plan", soon=True),
    Pattern(
        r"<be> (?:going|visiting|heading|flying|travell?ing)(?: to| on)?",
        "plans_to_visit",
        "visitable",
        mode="plan",
        soon=True,
    ),
    Pattern(r"<be> planning|<plan>", "plans", "event", mode="plan"),
    Pattern(r"<be> off to", "plans_to_visit", "visitable", mode="plan"),
    Pattern(r"(?:<have> )?(?:cancell?ed|called off)", "plans_to_attend", "event", "event", mode="plan", retracts=True),
    Pattern(r"(?:<have> )?(?:cancell?ed|called off)", "cancelled", "thing", mode="event"),
    Pattern(r"<be> having|will have|<be> throwing", "plans_to_have", "event", mode="plan", soon=True),
    Pattern(r"<be> expecting", "is_expecting", "definite", mode="plan"),
    Pattern(r"<be> seeing|will see", "plans_to_see", "seen_by", mode="plan", soon=True),
    Pattern(r"<be> visiting", "plans_to_visit", "person", mode="plan", soon=True),
)


_NOT_CLAIMING = "|".join(
    """
    wanted needed loved liked enjoyed realized realised decided tried used learned learnt missed hoped appreciated
    noticed agreed seemed believed looked turned ended stayed worked talked shared helped wished supposed expected
    guessed imagined reminded pushed faced figured kept asked happened remembered stumbled managed allowed showed
    supported inspired changed struggled mentioned totally shed hundred red need feed indeed speed pulled added
    continued stepped promised embraced gained caused moved called followed handled reached relaxed named
    tackled nailed overcame matched lived dreamed dreamt moved related required received waited cared trusted
    respected valued deserved planned encouraged motivated united explained pointed worried felt stared
    chilled stopped assumed passed filled dated married
    """.split()
)
"""Regular pasts that claim nothing lasting, or whose object is no noun phrase."""

_NOT_PLANNED = "|".join(
    """
    be have do get make keep try take give see look let need show help put end use love miss hit check turn come
    continue find stay push rock think set enjoy bring say go tell talk ask forget know become feel remember hear
    """.split()
)
_NOT_GOING_ON = "|".join(
    """
    doing going getting having being making feeling trying looking pushing keeping hoping loving helping taking
    staying thinking working giving putting living finding seeing coming crossing hanging rooting running saying
    telling wanting asking wondering dying missing waiting planning using facing playing dealing bringing talking
    killing chasing leaning thriving everything anything something nothing including during wedding amazing
    interesting moving dating
    sitting standing lying
    """.split()
)
_NO_VERB = "out|with|my|our|the|an|some|him|her|them|others|people|kids|friends|those|two|three|in|at|on|through"
"""Words after "helped" that are no verb."""
_PARTICLE = r"(?P<particle> (?:for|on|at|with|about|into|in|out|up|down|over|to|towards?|off)(?: with| for)?)?"
_PASTS = (
    r"[a-z]{2,}ed|ate|wore|drew|drank|sang|drove|fed|caught|chose|rode|sent|held|hung|swam|slept|spoke|grew|built"
    r"|heard|brought|taught|gave|led|spent|took|did|broke|shot|lit|stole|forgot|shut|cut"
)

_OPEN = (
    Pattern(
        r"(?:<be>|<been>) (?:looking into|researching|considering|contemplating|thinking (?:of|about)(?= \w+ing\b))",
        "considers",
        "hobby",
        mode="plan",
    ),
    Pattern(rf"(?:<have> )?(?!(?:{_NOT_CLAIMING})\b)(?P<verb>{_PASTS}){_PARTICLE}", "", "several", mode="event"),
    Pattern(
        rf"{_PLANNED} (?P<verb>(?!(?:{_NOT_PLANNED})\b)[a-z]{{2,}}){_PARTICLE}", "plans_to", "definite", mode="plan"
    ),
    Pattern(
        rf"{_WANTED} (?P<verb>(?!(?:{_NOT_PLANNED})\b)[a-z]{{2,}}){_PARTICLE}", "wants_to", "definite", mode="plan"
    ),
    Pattern(
        rf"(?:<be>|<been>) (?P<verb>(?!(?:{_NOT_GOING_ON})\b)[a-z]{{2,}}ing){_PARTICLE}", "is", "several", undated=True
    ),
    Pattern(
        r"(?:<have> )?(?:got|was|were|been) (?P<verb>accepted|invited|offered|selected|chosen|nominated|drafted"
        r"|admitted|elected|interviewed|noticed|rejected)(?P<particle> (?:by|into|to|for|as|at|in))?",
        "was",
        "thing",
        mode="event",
    ),
    Pattern(r"(?:<be>|<been>) (?:\w+ )?busy with", "busy_with", "hobby", undated=True),
    Pattern(
        rf"(?:<be>|<been>) (?:\w+ )?busy (?:with )?(?P<verb>(?!(?:{_NOT_GOING_ON})\b)[a-z]{{2,}}ing){_PARTICLE}",
        "is",
        "definite",
        undated=True,
    ),
    Pattern(
        rf"used to (?P<verb>(?!(?:{_NOT_PLANNED})\b)[a-z]{{2,}}|make){_PARTICLE}(?! th(?:is|at|ese|ose)\b)",
        "used_to",
        "definite",
        mode="event",
    ),
    Pattern(
        rf"helped (?:to )?(?P<verb>(?!(?:{_NOT_PLANNED}|{_NO_VERB})\b)[a-z]{{3,}}){_PARTICLE}",
        "helped",
        "definite",
        mode="event",
    ),
    Pattern(r"got|received|<have> (?:gotten|received)", "got", "definite", mode="event"),
    Pattern(r"(?:<be> going to|will(?: soon)?) (?:be|become)", "expects_to_be", "kinship", mode="plan"),
    Pattern(r"(?:<have> )?(?:become|became)", "became", "kinship", mode="event"),
    Pattern(rf"(?:{_PLANNED}|{_WANTED}) (?:be|become)", "wants_to_be", "definite", mode="plan"),
    Pattern(rf"{_PLANNED}", "plans_to", "deed", "activity", mode="plan"),
    Pattern(rf"{_WANTED}", "wants_to", "deed", "activity", mode="plan"),
    Pattern(r"<be> trying to", "tries_to", "deed", "activity"),
    Pattern(r"<be> (?:\w+ )?determined to", "determined_to", "deed", "activity"),
    Pattern(r"<have> never (?:been|gone|travell?ed) to", "never_visited", "place", "place"),
    Pattern(
        rf"<have> never (?P<verb>(?!(?:{_NOT_CLAIMING})\b)(?:[a-z]{{2,}}ed|seen|read|eaten|ridden)"
        rf"|tried)",
        "never",
        "definite",
    ),
)


_EXAM = Pattern(r"(?:<have> )?(?:(?:just|finally) )?(?P<verb>passed|failed)", "", "examination", mode="event")
"""Exams by another name than a noun of the table: GCSEs, the theory, the CCNA."""


@cache
def patterns() -> tuple[Pattern, ...]:
    """Return the patterns, among them past, plan, wish and progress of each verb of the table."""
    table = (pattern for verb in verbs() for pattern in _of(verb))
    return (*_FIXED, *table, *(replace(pattern, open=True) for pattern in _OPEN), _EXAM)


def _of(verb: Verb) -> Iterator[Pattern]:
    kind = _KINDS.get(verb.kind, verb.kind)
    particle = f" {verb.particle}" if verb.particle else ""
    doing = gerund(verb.base) + particle
    done = f"(?:<have> {participle(verb.base)}|{past(verb.base)}){particle}"
    yield Pattern(done, verb.done, kind, mode="event")
    yield Pattern(f"{_PLANNED} {verb.base}{particle}|{_GOING} {doing}", verb.plan, kind, mode="plan")
    yield Pattern(f"will {verb.base}{particle}|will be {doing}|<be> {doing}", verb.plan, kind, mode="plan", soon=True)
    yield Pattern(f"{_WANTED} {verb.base}{particle}", verb.plan.replace("plans_", "wants_"), kind, mode="plan")
    if verb.doing:
        yield Pattern(f"<be> {doing}|<been> {doing}", verb.doing, kind, undated=True)


_TO_EVENTS = {"visited": "attended", "went_to": "attended", "plans_to_visit": "plans_to_attend"} | {
    f"{mood}_to_go_to": f"{mood}_to_attend" for mood in ("plans", "wants")
}
_TO_PLACES = {
    "attended": "visited",
    "had": "visited",
    "went_to": "visited",
    "plans_to_go_to": "plans_to_visit",
    "wants_to_go_to": "wants_to_visit",
}


_TO_OTHERS = {name: done for name, done in _TO_PLACES.items() if name != "had" and name != "attended"}


def refined(relation: str, kind: str) -> str:
    """Return the relation that fits the kind of object: one attends a concert and visits a museum."""
    return (_TO_EVENTS if kind == "event" else _TO_PLACES if kind == "place" else _TO_OTHERS).get(relation, relation)
