"""Family, love, friends and pets."""

from mem0g.extract.rules.patterns import Pattern as P

_SOME = r"(?: (?:also|just|now))?"

PATTERNS = (
    P(r"<be> (?:happily )?married to|(?:<have> )?(?:got married to|married)|<be> getting married to", "married_to", "person", "person", since=True),
    P(r"<be> engaged to|got engaged to", "engaged_to", "person", "person", since=True),
    P(r"<be> (?:now |officially )?dating|<been> dating|<be> in a relationship with|<been> seeing|started dating", "dating", "person", "person", since=True),
    P(r"(?:<have> )?(?:broke|broken|split) up with", "dating", "person", "person", mode="event", retracts=True),
    P(r"(?:<have> )?divorced(?: from)?", "married_to", "person", "person", mode="event", retracts=True),
    P(r"<be> separated from|separated from", "separated_from", "person", "person", since=True),
    P(r"<have> been (?:happily )?married for|<have> been married", "married_for", "years", "duration"),
    P(r"<have>(?: got)?", "kin", "kin", "person"),
    P(r"<have>(?: got)?", "has_pet", "pet", "pet"),
    P(r"<own>", "has_pet", "pet", "pet"),
    P(r"(?:<have> )?(?:adopted|got|rescued|bought)", "has_pet", "pet", "pet", since=True),
    P(r"<be> (?:fostering|adopting|getting)", "plans_to_adopt", "pet", "pet", mode="plan"),
    P(r"<be> friends with", "has_friend", "person", "person"),
    P(r"(?:<have> )?met", "met", "person", "person", mode="event"),
)  # fmt: skip
