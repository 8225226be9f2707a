"""Work and study."""

from mem0g.extract.rules.grammar.verb_phrases import Pattern
from mem0g.model import LITERAL
from mem0g.text.english import NUMBERS, WEEKDAYS

_DAYS = rf"(?:{'|'.join(WEEKDAYS)})s?"

PATTERNS = (
    Pattern(
        r"<work> (?:full[- ]time |part[- ]time )?as|<be> working (?:full[- ]time "
        r"|part[- ]time )?as|<been> working as",
        "works_as",
        "job",
        "profession",
    ),
    Pattern(
        r"<work> (?:full[- ]time |part[- ]time |nights |days |shifts |remotely )?(?:at|for)|<be> working (?:at|for)"
        r"|<been> working (?:at|for)|<be> employed (?:at|by)",
        "works_at",
        "organization",
        "organization",
    ),
    Pattern(r"(?:<have> )?(?:started|begun|began)(?: work| working)? as", "works_as", "job", "profession", since=True),
    Pattern(
        rf"<work> (?:on )?(?:(?:{_DAYS}|weekends|evenings)(?:,? (?:and )?{_DAYS})*"
        rf"|(?:{'|'.join(NUMBERS[1:4])}|[1-3]) (?:days|shifts|nights|mornings|afternoons|evenings)(?: a| per) week)"
        r" (?:at|for|in)",
        "works_part_time_at",
        "organization",
        "organization",
    ),
    Pattern(r"(?:<have> )?(?:took|taken) over(?! (?:as|by|in|when|at)\b)", "took_over", "thing", mode="event"),
    Pattern(r"<report> to", "managed_by", "person", "person"),
    Pattern(r"<study> in|<be> studying in", "studies_in", "place", "place"),
    Pattern(r"<have> worked (?:at|for)", "works_at", "organization", "organization", lasting=True),
    Pattern(r"<work> in|<be> working in", "works_in", "field"),
    Pattern(r"used to be", "worked_as", "job", "profession", mode="event"),
    Pattern(r"<was>", "worked_as", "job", "profession", mode="event", lasting=True),
    Pattern(
        r"(?:used to work|(?:<have> )?worked|<was> working) (?:at|for)",
        "worked_at",
        "organization",
        "organization",
        mode="event",
    ),
    Pattern(r"(?:used to work|worked|<was> working) as", "worked_as", "job", "profession", mode="event"),
    Pattern(
        r"(?:<have> )?(?:started (?:work|working|a (?:new )?job|my new job)|(?:got|taken|took|accepted|found) (?:a"
        r"|the) (?:new )?(?:job|position|post|role)|landed a (?:new )?job) (?:at|with)",
        "works_at",
        "organization",
        "organization",
        since=True,
    ),
    Pattern(
        r"(?:<have> )?(?:started (?:work|working|a (?:new )?job)|(?:got|taken|took|accepted) (?:a|the) (?:new )?"
        r"(?:job|position|post|role)"
        r"|(?:<have> |<was> |got )?(?:been )?promoted(?: to)?|(?:<have> been |<was> |got )hired(?: as)?)(?: as)?",
        "works_as",
        "job",
        "profession",
        since=True,
    ),
    Pattern(r"(?:<have> )?(?:got|landed)(?= the\b)", "got", "post", mode="event"),
    Pattern(r"<bank> with", "banks_with", "organization", "organization"),
    Pattern(r"(?:<have> )?applied for", "applied_for", "post", mode="event"),
    Pattern(r"(?:<have> )?(?:started|begun) at", "works_at", "place", "organization", since=True),
    Pattern(r"(?:<have> |<was> |got )?(?:been )?promoted to", "works_as", "thing", "profession", since=True),
    Pattern(r"(?:<have> been |<was> |got )hired (?:by|at)", "works_at", "organization", "organization", since=True),
    Pattern(
        r"(?:<start>|<be> (?:starting|going to start)|will (?:be starting|start)) (?:work |working |(?:my|a) new job "
        r"|a job )?(?:at|with)",
        "plans_to_work_at",
        "place",
        "organization",
        mode="plan",
        soon=True,
    ),
    Pattern(r"(?:<have> )?(?:retired|(?:took|taken) early retirement)", "is", "retired", LITERAL, since=True),
    Pattern(
        r"<retire>|<be> (?:retiring|going to retire)|will (?:be retiring|retire)|<plan> to retire",
        "plans_to_retire",
        "date",
        "date",
        mode="plan",
        soon=True,
    ),
    Pattern(
        r"(?:<have> )?(?:handed in|gave in|given in) (?:my|his|her|their) (?:notice|resignation) (?:at|with|to)",
        "resigned_from",
        "organization",
        "organization",
        mode="event",
    ),
    Pattern(r"(?:<have> )?retired(?= \u27e6)", "retired", "date", "date", mode="event"),
    Pattern(r"(?:<have> )?graduated(?= \u27e6)", "graduated", "date", "date", mode="event"),
    Pattern(r"<be>(?: now)?", "worked_as", "past_job", "profession"),
    Pattern(r"<be>(?: currently| now)?(?! an? (?:retired|former)\b)", "works_as", "job", "profession"),
    Pattern(r"<have> been", "works_as", "job", "profession", lasting=True),
    Pattern(r"<be>(?: currently| now)?", "is_a", "role", "role"),
    Pattern(
        r"<be>(?: now| officially| happily)?|got(?= (?:divorced|engaged|married)$)",
        "marital_status",
        "marital",
        "status",
    ),
    Pattern(r"<have> been", "marital_status", "marital", "status", lasting=True),
    Pattern(r"<be>(?: now)?", "follows_diet", "diet", "diet"),
    Pattern(r"<have> been", "follows_diet", "diet", "diet", lasting=True),
    Pattern(r"<have> (?:gone|turned|become)|turned|became|went(?= \w+$)", "follows_diet", "diet", "diet", since=True),
    Pattern(r"<be>|<be> (?:now|officially)", "is", "status", "status"),
    Pattern(r"<be> (?:studying|majoring in)|<study>|<major> in|<been> studying", "studies", "hobby", "subject"),
    Pattern(
        r"<study> at|<be> studying at|<go> to (?:school|college|university) (?:at|in)|<attend>",
        "studies_at",
        "place",
        "organization",
    ),
    Pattern(r"studied", "studied", "hobby", "subject", mode="event"),
    Pattern(r"(?:<have> )?graduated from", "graduated_from", "organization", "organization", mode="event"),
    Pattern(
        r"<have>(?: got)? an? (?:[\w']+ )?(?:degree|PhD|doctorate|diploma|master's|bachelor's|MA|BA|MSc"
        r"|BSc)(?: degree)? in",
        "has_degree_in",
        "hobby",
        "subject",
    ),
    Pattern(r"(?:<have> )?(?:got|earned|finished) (?:a|my) (?:[\w']+ )?degree in", "has_degree_in", "hobby", "subject"),
    Pattern(r"<teach>|<be> teaching|<been> teaching", "teaches", "hobby", "subject"),
    Pattern(
        r"<volunteer> (?:at|for|with)|<be> volunteering (?:at|for|with)|<been> volunteering (?:at"
        r"|for|with)",
        "volunteers_at",
        "organization",
        "organization",
    ),
    Pattern(r"<volunteer> as|<be> volunteering as|<been> volunteering as", "volunteers_as", "definite"),
    Pattern(r"<use>|<run>|<be>(?: now)? on(?!.*\d ?mc?g\b)", "is_using", "versioned"),
    Pattern(
        r"(?:<have> )?(?:upgraded|updated|migrated|switched|moved|downgraded) (?:(?:my|our|the) "
        r"(?!(?:[\w-]+ )?(?:office|desk|team|furniture|stuff|things|car|kids|family|house|home|bed)\b)"
        r"(?:[\w-]+ ){1,2})?"
        r"(?:from [A-Z][\w.+#-]*(?: [A-Z][\w.+#-]*)?(?: v?\d[\d.]*)? )?to",
        "is_using",
        "versioned",
        since=True,
    ),
    Pattern("<work>", "works", "work_mode"),
    Pattern(r"<be> (?:currently |still )?(?:looking|searching|hunting) for", "is_looking_for", "sought"),
    Pattern(r"(?:<run>|<own>|<manage>)", "owns", "owned", "business"),
)
