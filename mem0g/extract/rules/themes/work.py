"""Work and study."""

from mem0g.extract.rules.patterns import Pattern as P

PATTERNS = (
    P(r"<work> (?:full[- ]time |part[- ]time )?as|<be> working (?:full[- ]time |part[- ]time )?as|<been> working as", "works_as", "job", "profession"),
    P(r"<work> (?:full[- ]time |part[- ]time )?(?:at|for)|<be> working (?:at|for)|<been> working (?:at|for)|<be> employed (?:at|by)", "works_at", "organization", "organization"),
    P(r"<have> worked (?:at|for)", "works_at", "organization", "organization", lasting=True),
    P(r"(?:used to work|worked|<was> working) (?:at|for)", "worked_at", "organization", "organization", mode="event"),
    P(r"(?:used to work|worked|<was> working) as", "worked_as", "job", "profession", mode="event"),
    P(r"(?:<have> )?(?:started (?:work|working|a (?:new )?job|my new job)|got (?:a|the) (?:new )?job|landed a (?:new )?job) (?:at|with)", "works_at", "organization", "organization", since=True),
    P(r"(?:<have> )?(?:started (?:work|working|a (?:new )?job)|got (?:a|the) (?:new )?job|(?:<have> |<was> )?(?:been )?(?:hired|promoted)(?: to)?) (?:as )?", "works_as", "job", "profession", since=True),
    P(r"(?:<have> been |<was> |got )hired (?:by|at)", "works_at", "organization", "organization", since=True),
    P(r"<start> (?:work |working |my new job )?at", "plans_to_work_at", "place", "organization", mode="plan", soon=True),
    P(r"(?:<have> )?(?:quit|left|resigned from|lost) my (?:\w+ )?(?:job|position|role) (?:at|with)", "works_at", "organization", "organization", mode="event", retracts=True),
    P(r"(?:<have> )?(?:quit|left|resigned from)|<was> (?:laid off|fired) (?:from|by)", "works_at", "place", "organization", mode="event", retracts=True),
    P(r"(?:<have> )?(?:quit|left|lost) my (?:\w+ )?(?:job|position) as", "works_as", "job", "profession", mode="event", retracts=True),
    P(r"<be>(?: currently| now)?", "works_as", "job", "profession"),
    P(r"<be>(?: currently| now)?", "is_a", "role", "role"),
    P(r"<be>|<be> (?:now|officially)|got", "is", "status", "status"),
    P(r"<be> (?:studying|majoring in)|<study>|<major> in|<been> studying", "studies", "hobby", "subject"),
    P(r"<study> at|<be> studying at|<go> to (?:school|college|university) (?:at|in)|<attend>", "studies_at", "place", "organization"),
    P(r"studied", "studied", "hobby", "subject", mode="event"),
    P(r"(?:<have> )?graduated from", "graduated_from", "organization", "organization", mode="event"),
    P(r"(?:<have> )?(?:got|earned|finished) (?:a|my) (?:[\w']+ )?degree in", "has_degree_in", "hobby", "subject"),
    P(r"<teach>|<be> teaching|<been> teaching", "teaches", "hobby", "subject"),
    P(r"<volunteer> (?:at|for|with)|<be> volunteering (?:at|for|with)|<been> volunteering (?:at|for|with)", "volunteers_at", "organization", "organization"),
    P(r"(?:<run>|<own>|<manage>)", "owns", "owned", "business"),
)  # fmt: skip
