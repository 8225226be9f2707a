"""Where people live and come from, age and names; family, love, friends and pets."""

from mem0g.extract.rules.grammar.verb_phrases import Pattern

_THERE = r"(?:back |over |out |down |up |away |home |here )?"

HOME = (
    Pattern(
        rf"(?:<have> )?(?:moved|relocated|emigrated) {_THERE}to"
        r"(?=.{2,40} (?:when (?:I|we|he|she|they) (?:was|were)|as a (?:child|kid|baby|teenager))\b)",
        "lived_in",
        "home",
        "city",
        mode="event",
    ),
    Pattern(rf"(?:<have> )?(?:moved|relocated) {_THERE}from [A-Z][\w', ]+? to", "lives_in", "home", "city", since=True),
    Pattern(rf"(?:<have> )?(?:moved|relocated|emigrated) {_THERE}to", "lives_in", "home", "city", since=True),
    Pattern(rf"(?:<have> )?moved {_THERE}(?:from|out of|away from)", "moved_from", "place", "place", mode="event"),
    Pattern(rf"<be> (?:moving|relocating) {_THERE}to", "plans_to_live_in", "place", "place", mode="plan"),
    Pattern(
        r"<be> (?:back )?living in|<be> based in|<live> (?:\w+ )?in|<reside> in|<been> living in",
        "lives_in",
        "home",
        "city",
    ),
    Pattern(r"<live> (?:at|on)", "lives_at", "address"),
    Pattern("<live>|<be> living", "lives", "alone"),
    Pattern("<be>", "is", "only_child"),
    Pattern(r"<be> in(?= .*\b(?:now(?! and)|these days|at the moment)\b)", "stays_in", "whereabouts", "place"),
    Pattern(r"(?:<have> )?moved (?:back )?in with", "lives_with", "person", "person", since=True),
    Pattern(
        r"(?:<be>|will be|<be> going to be) moving (?:back )?in with|(?:will|<be> going to) move (?:back )?in with",
        "plans_to_live_with",
        "person",
        "person",
        mode="plan",
    ),
    Pattern(r"<have> lived in", "lives_in", "home", "city", lasting=True),
    Pattern(r"<have> lived in|used to live in|lived in|<was> living in", "lived_in", "home", "city", mode="event"),
    Pattern(r"(?:<was> )?born and raised in|<was> born in", "born_in", "home", "place"),
    Pattern(
        r"<be> (?:originally |actually )?from|<come> (?:originally )?from",
        "comes_from",
        "home",
        "place",
    ),
    Pattern(r"grew up in|<was> raised in", "grew_up_in", "home", "place"),
    Pattern(r"<was> born(?= \u27e6)", "born_on", "date", "date", mode="event"),
    Pattern(r"(?:<have> )?(?:died|passed away)", "died_on", "date", "date", mode="event"),
    Pattern(r"(?:<have> )?(?:died|passed away)", "is", "dead", open=True),
    Pattern(r"<be> moving out|will move out", "moves_out", "date", "date", mode="plan", soon=True),
    Pattern(r"<be> due(?= \u27e6)", "is_due", "date", "date", mode="plan", soon=True),
    Pattern(r"<be>", "is", "nation", "nationality"),
    Pattern(r"<be>(?= \w+ (?:years old )?\u27e6)", "turns", "age", "age", mode="plan", soon=True),
    Pattern(r"<be>(?: already)?", "has_age", "age", "age"),
    Pattern(r"(?:<have> )?(?:just )?turned", "has_age", "age", "age", since=True),
    Pattern(r"<be> turning|<turn>", "turns", "age", "age", mode="plan"),
    Pattern(r"<be>", "has_height", "height", "measure"),
    Pattern(r"<be>(?: an?)?", "has_blood_type", "blood_type", "blood type"),
    Pattern(r"<be> also (?:called|known as)|<be> known as|<go> by", "also_known_as", "name", "person"),
)

_WILL_GET = r"(?:<get>|<be> (?:getting|going to get)|will get|<have> decided to get)"

FAMILY = (
    Pattern(
        r"(?:<be>|<been>) (?:happily )?married to|(?:<have> )?(?:got married to|married)",
        "married_to",
        "person",
        "person",
        since=True,
    ),
    Pattern(
        rf"{_WILL_GET} married to|<be> (?:marrying|going to marry)|will marry",
        "plans_to_marry",
        "person",
        "person",
        mode="plan",
    ),
    Pattern(
        rf"{_WILL_GET} married",
        "plans_to_get_married",
        "date",
        "date",
        mode="plan",
        soon=True,
    ),
    Pattern(r"got (?P<verb>married|divorced|engaged)(?= \u27e6)", "got", "date", "date", mode="event"),
    Pattern(r"<be> engaged to|got engaged to", "engaged_to", "person", "person", since=True),
    Pattern(
        r"<be> (?:now |officially )?dating|<been> dating|<be> in a relationship with|<been> seeing"
        r"|started dating",
        "dating",
        "person",
        "person",
        since=True,
    ),
    Pattern(r"<be> separated from|separated from", "separated_from", "person", "person", since=True),
    Pattern(r"<have> been (?:happily )?married for|<have> been married", "married_for", "years", "duration"),
    Pattern(
        r"<have>(?: got)?(?! (?:an?|the|my) (?:dentist|therapist|coach|teacher)(?:'s)? (?:at|on|\u27e6))",
        "kin",
        "kin",
        "person",
    ),
    Pattern(r"<have>(?: got)?(?! (?:adopted|rescued|bought)\b)", "has_pet", "pet", "pet"),
    Pattern(r"<own>", "has_pet", "pet", "pet"),
    Pattern(r"(?:<have> )?(?:adopted|got|rescued|bought)", "has_pet", "pet", "pet", since=True),
    Pattern(r"<be> (?:fostering|adopting|getting)", "plans_to_adopt", "pet", "pet", mode="plan"),
    Pattern(r"(?:<have> )?(?:had|given birth to|gave birth to)", "had", "newborn", "person", mode="event"),
    Pattern(r"<be> friends with", "has_friend", "person", "person"),
    Pattern(r"(?:<have> )?met", "met", "acquaintance", "person", mode="event"),
)
