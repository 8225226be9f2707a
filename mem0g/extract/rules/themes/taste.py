"""Likes and dislikes, hobbies, skills, belongings, health."""

from mem0g.extract.rules.patterns import Pattern as P

PATTERNS = (
    P(r"<do> not (?:really |particularly )?(?:like|enjoy|love)|<hate>|<dislike>|<detest>|<despise>|can not stand|<be> not (?:a (?:big |huge )?fan of|into|fond of|keen on)", "dislikes", "hobby"),
    P(r"<be> (?:\w+ly )?(?:allergic|intolerant) to", "allergic_to", "hobby", "substance"),
    P(r"<be> (?:\w+ )?(?:afraid|scared|terrified) of", "afraid_of", "hobby"),
    P(r"<love>|<adore>|<be> (?:\w+ )?(?:in love with|crazy about|obsessed with|addicted to|passionate about|hooked on)|fell in love with|<have> loved|<have> a passion for", "loves", "hobby"),
    P(r"<enjoy>|<have> (?:\w+ )?enjoyed|<been> (?:\w+ )?enjoying", "enjoys", "hobby"),
    P(r"<like>|<have> liked|<be> (?:\w+ )?(?:into|fond of|keen on|drawn to)|<be> a (?:\w+ )?fan of|<be> a (?:big|huge) \w+ fan", "likes", "hobby"),
    P(r"<prefer>", "prefers", "hobby"),
    P(r"<be> (?:\w+ )?interested in", "interested_in", "hobby"),
    P(r"<play>|<been> playing|<be> playing", "plays", "instrument", "activity"),
    P(r"<speak>", "speaks", "language", "language"),
    P(r"<be> learning|<been> learning|started learning", "is_learning", "language", "language", since=True),
    P(r"<collect>|<been> collecting", "collects", "hobby"),
    P(r"<practice>|<be> practicing|<been> practicing", "practices", "hobby", "activity"),
    P(r"(?:<have> )?(?:stopped|quit|gave up)", "gave_up", "hobby", "activity", mode="event"),
    P(r"<have>(?: got)?|<own>", "owns", "owned"),
    P(r"<have>(?: got)?|<own>", "owns", "possession"),
    P(r"<be> (?:now )?(?:part|a member) of|<belong> to", "member_of", "organization", "group"),
    P(r"<be> (?:\w+ )?inspired by", "inspired_by", "person", "person"),
    P(r"<use>", "uses", "possession"),
    P(r"(?:<have> )?(?:just )?sold(?: off)? (?:my|our)", "owns", "owned", mode="event", retracts=True),
    P(r"<have>(?: got)?|<suffer> from|<was> diagnosed with", "has_condition", "condition", "condition"),
    P(r"<be> (?:really |so |super |very )?looking forward to", "looks_forward_to", "hobby", mode="plan"),
)  # fmt: skip
