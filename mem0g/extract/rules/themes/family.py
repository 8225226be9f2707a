"""Family, love, friends and pets."""

from mem0g.extract.rules.patterns import Pattern

PATTERNS = (
    Pattern(
        r"<be> (?:happily )?married to|(?:<have> )?(?:got married to|married)"
        r"|<be> getting married to",
        "married_to",
        "person",
        "person",
        since=True,
    ),
    Pattern(r"<be> engaged to|got engaged to", "engaged_to", "person", "person", since=True),
    Pattern(
        r"<be> (?:now |officially )?dating|<been> dating|<be> in a relationship with|<been> seeing"
        r"|started dating",
        "dating",
        "person",
        "person",
        since=True,
    ),
    Pattern(r"(?:<have> )?(?:broke|broken|split) up with", "dating", "person", "person", mode="event", retracts=True),
    Pattern(r"(?:<have> )?divorced(?: from)?", "married_to", "person", "person", mode="event", retracts=True),
    Pattern(r"<be> separated from|separated from", "separated_from", "person", "person", since=True),
    Pattern(r"<have> been (?:happily )?married for|<have> been married", "married_for", "years", "duration"),
    Pattern(r"<have>(?: got)?", "kin", "kin", "person"),
    Pattern(r"<have>(?: got)?", "has_pet", "pet", "pet"),
    Pattern(r"<own>", "has_pet", "pet", "pet"),
    Pattern(r"(?:<have> )?(?:adopted|got|rescued|bought)", "has_pet", "pet", "pet", since=True),
    Pattern(r"<be> (?:fostering|adopting|getting)", "plans_to_adopt", "pet", "pet", mode="plan"),
    Pattern(r"<be> friends with", "has_friend", "person", "person"),
    Pattern(r"(?:<have> )?met", "met", "acquaintance", "person", mode="event"),
)
