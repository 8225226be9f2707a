"""What ends, or is about to: couples, jobs, memberships, shared homes, habits, possessions."""

from mem0g.extract.rules.grammar.literals import DRUG
from mem0g.extract.rules.grammar.nouns import TOOLS
from mem0g.extract.rules.grammar.verb_phrases import Pattern

_NO_TOOL = rf"(?! (?:{'|'.join(sorted(TOOLS))})\b)"

_COUPLES = (
    Pattern(
        r"(?:<have> )?(?:(?:broke|broken|split) up with|(?:broke|broken|called) (?:it|things) off with"
        rf"|ended (?:it|things) with|split (?:from|with)|dumped{_NO_TOOL})",
        "dating",
        "person",
        "person",
        mode="event",
        retracts=True,
    ),
    Pattern(
        r"(?:<have> )?left(?= (?:me|us)(?:$|,| \u27e6| for (?:some|another|a (?:man|woman|younger|guy|girl)|her|his)))",
        "dating",
        "person",
        "person",
        mode="event",
        retracts=True,
    ),
    Pattern(r"<be> with", "dating", "person", "person", ended=True),
    Pattern(
        r"(?:<have> )?(?:called|broke|broken) (?:off (?:the|our|my|his|her) engagement"
        r"|(?:the|our|my|his|her) engagement off) (?:with|to)",
        "engaged_to",
        "person",
        "person",
        mode="event",
        retracts=True,
    ),
    Pattern(
        r"(?:<have> )?(?:called|broke|broken) (?:off (?:the|our|my|his|her) engagement"
        r"|(?:the|our|my|his|her) engagement off)",
        "engaged_to",
        "no_partner",
        mode="event",
        retracts=True,
    ),
    Pattern(
        r"(?:<have> |got |<be> )?divorced(?: from)?", "married_to", "person", "person", mode="event", retracts=True
    ),
    Pattern(
        r"<be> (?:getting divorced|(?:getting|going through) (?:an?|the|my|our|his|her) divorce)",
        "is",
        "divorcing",
    ),
)

_HOMES = (
    Pattern(
        r"(?:<have> )?moved out of(?= (?:my|our|his|her) )",
        "lives_with",
        "home_of",
        "person",
        mode="event",
        retracts=True,
    ),
    Pattern(r"(?:<have> )?moved (?:out|away)(?= \u27e6)", "moved_out", "date", "date", mode="event"),
    Pattern(r"(?:<have> )?moved (?:out|away)(?! (?:of|from|to)\b)", "moved_out", "home_left", mode="event"),
)

_JOBS = (
    Pattern(
        r"(?:<have> )?(?:quit|left|resigned from|lost|(?:packed|jacked|chucked) in) (?:my|his|her|their) (?:\w+ )?"
        r"(?:job|position|role) (?:at|with)",
        "works_at",
        "organization",
        "organization",
        mode="event",
        retracts=True,
    ),
    Pattern(
        r"(?:<have> )?(?:quit|left|resigned from|stepped down from) (?:the|my|our)(?= (?:[\w-]+ ){0,2}(?:choir|band"
        r"|team|club|group|committee|board|army|navy|orchestra|union|party|cast|crew|squad|society|council)\b)",
        "member_of",
        "thing",
        "group",
        mode="event",
        retracts=True,
    ),
    Pattern(
        r"(?:<have> )?(?:quit|left|resigned from)(?= (?:the|my|our) (?:[\w-]+ ){0,2}"
        r"(?:company|firm|agency|start-?up|charity|practice)\b)",
        "works_at",
        "organization",
        "organization",
        mode="event",
        retracts=True,
    ),
    Pattern(r"(?:<have> )?left(?= [A-Z][\w' -]{1,30} for [A-Z])", "left", "place", mode="event"),
    Pattern(
        r"(?:<have> )?(?:quit|left|resigned from)"
        r"|(?:<was>|got|<have> been) (?:laid off|fired|sacked|let go|made redundant) (?:from|by|at)",
        "works_at",
        "place",
        "organization",
        mode="event",
        retracts=True,
    ),
    Pattern(
        r"(?:<have> )?(?:quit|left|resigned from)"
        r"|(?:<was>|got|<have> been) (?:laid off|fired|sacked|let go|made redundant) (?:from|by|at)",
        "works_at",
        "firm",
        "organization",
        mode="event",
        retracts=True,
    ),
    Pattern(
        r"(?:<was>|got|<have> been) (?:laid off|fired|sacked|let go|made redundant) (?:from|by|at)"
        r"(?= (?:the|my|our) )",
        "works_at",
        "business",
        "organization",
        mode="event",
        retracts=True,
    ),
    Pattern(
        r"(?:<have> )?(?:quit|left|lost|resigned from|(?:packed|jacked|chucked) in|gave up|given up)",
        "works_at",
        "own_job",
        mode="event",
        retracts=True,
    ),
    Pattern(
        r"(?:<have> been |<was> |got )(?:laid off|fired|made redundant|sacked|let go(?! (?:of|from|and)\b))",
        "works_at",
        "no_job",
        mode="event",
        retracts=True,
    ),
    Pattern(
        r"(?:<have> )?(?:quit|left|lost) (?:my|his|her|their) (?:\w+ )?(?:job|position) as",
        "works_as",
        "job",
        "profession",
        mode="event",
        retracts=True,
    ),
    Pattern(r"<be> (?:living )?in(?! (?:hospital|town|bed|pain)\b)", "lives_in", "home", "city", ended=True),
    Pattern(r"<be> at", "works_at", "club", "organization", ended=True),
    *(
        Pattern(
            r"<be> (?:leaving|quitting)|<be> going to (?:leave|quit)|will (?:leave|quit)",
            "plans_to_leave",
            kind,
            mode="plan",
            soon=True,
        )
        for kind in ("place", "firm", "own_job")
    ),
)

_HABITS = (
    Pattern(r"(?:<have> )?(?:stopped|quit|gave up|given up|(?:packed|jacked) in)", "gave_up", "given_up", mode="event"),
    Pattern(
        r"<be> (?:giving up|quitting)|<be> going to (?:give up|quit)|will (?:give up|quit)",
        "plans_to_give_up",
        "given_up",
        mode="plan",
        soon=True,
    ),
)

_POSSESSIONS = (
    Pattern(
        r"(?:<have> )?(?:traded in|part[- ]exchanged|swapped)(?= .{2,40} for )", "traded_in", "traded", mode="event"
    ),
    Pattern(
        r"(?:<have> )?(?:sold(?: off)?|got(?:ten)? rid of|scrapped|(?:gave|given) away|donated|gave(?=.{3,30} to )"
        r"|given(?=.{3,30} to ))",
        "owns",
        "sold",
        mode="event",
        retracts=True,
    ),
)

_PETS = (
    Pattern(r"(?:<have> )?(?:ran|run) away", "ran_away", "home_left", mode="event"),
    Pattern(
        r"(?:<have> )?(?:re-?homed|gave|given|surrendered|returned)",
        "has_pet",
        "pet_left",
        mode="event",
        retracts=True,
    ),
)

_MEDICINE = (
    Pattern(
        rf"(?:<have> )?(?:stopped|quit)(?: (?:the|my))?(?= (?i:{DRUG})\b)",
        "takes",
        "drug",
        "medicine",
        mode="event",
        retracts=True,
    ),
    Pattern(
        r"(?:<have> )?(?:came|come|went|gone) off|<was> taken off|<be> (?:now )?off",
        "takes",
        "medicine_left",
        "medicine",
        mode="event",
        retracts=True,
    ),
)

_SUBSCRIPTIONS = (
    Pattern(
        r"<be> subscribed to|<subscribe> to|<have>(?: got)? an? (?:\w+ )?subscription (?:to|for|with)"
        r"|(?:<have> )?subscribed to",
        "subscribes_to",
        "named",
        "service",
    ),
    Pattern(
        r"(?:<have> )?(?:unsubscribed from|cancell?ed (?:my|our|the) (?:\w+ )?subscription (?:to|for|with))",
        "subscribes_to",
        "named",
        "service",
        mode="event",
        retracts=True,
    ),
    Pattern(
        r"(?:<have> )?cancell?ed (?:my|our)(?= [A-Z][\w+]*(?: [A-Z][\w+]*)* subscription\b)",
        "subscribes_to",
        "first_name",
        "service",
        mode="event",
        retracts=True,
    ),
    Pattern(
        r"(?:<have> |got |<have> got )an? (?:\w+ )?membership (?:at|with|of)", "member_of", "first_name", "organization"
    ),
    Pattern(
        r"(?:<have> )?(?:cancell?ed|ended|gave up) (?:my|our)(?: (?:\w+ )?membership (?:at|with|of)"
        r"|(?= [A-Z][\w+]*(?: [A-Z][\w+]*)* membership\b))",
        "member_of",
        "first_name",
        "organization",
        mode="event",
        retracts=True,
    ),
)

PATTERNS = (*_COUPLES, *_HOMES, *_JOBS, *_PETS, *_MEDICINE, *_SUBSCRIPTIONS, *_HABITS, *_POSSESSIONS)
