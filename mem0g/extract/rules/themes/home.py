"""Where people live, lived, come from and move to; how old they are and what they are called."""

from mem0g.extract.rules.patterns import Pattern as P

_THERE = r"(?:back |over |out |down |up |away |home |here )?"

PATTERNS = (
    P(rf"(?:<have> )?(?:moved|relocated) {_THERE}from [A-Z][\w', ]+? to", "lives_in", "place", "city", since=True),
    P(rf"(?:<have> )?(?:moved|relocated|emigrated) {_THERE}to", "lives_in", "place", "city", since=True),
    P(rf"(?:<have> )?moved {_THERE}from", "moved_from", "place", "place", mode="event"),
    P(rf"<be> (?:moving|relocating) {_THERE}to", "plans_to_move_to", "place", "place", mode="plan"),
    P(r"<be> (?:back )?living in|<be> based in|<live> (?:\w+ )?in|<reside> in|<been> living in", "lives_in", "place", "city"),
    P(r"<have> lived in", "lives_in", "place", "city", lasting=True),
    P(r"<have> lived in|used to live in|lived in|<was> living in", "lived_in", "place", "city", mode="event"),
    P(r"(?:<was> )?born and raised in|<was> born in", "born_in", "place", "place"),
    P(r"<be> (?:originally |actually )?from|<come> (?:originally )?from|grew up in|<was> raised in", "comes_from", "place", "place"),
    P(r"<be>", "nationality", "nation", "nationality"),
    P(r"<be>(?: already)?", "has_age", "age", "age"),
    P(r"(?:<have> )?(?:just )?turned", "has_age", "age", "age", since=True),
    P(r"<be> turning", "turns", "age", "age", mode="plan"),
    P(r"<be> (?:also )?(?:called|named|known as)|<go> by", "also_known_as", "name", "person"),
)  # fmt: skip
