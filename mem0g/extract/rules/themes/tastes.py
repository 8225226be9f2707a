"""Likes and dislikes, hobbies, skills, belongings, health."""

from mem0g.extract.rules.grammar.literals import EXERCISES
from mem0g.extract.rules.grammar.verb_phrases import Pattern
from mem0g.text.verbs import gerund, third

_IN_JEST = r"(?! (?:[Mm]ondays?|[Mm]ornings?|work|exercise|people|men|women|commitment|drama|nonsense|stupidity)\b)"
"""What nobody is allergic to in earnest."""

PATTERNS = (
    Pattern(
        r"<do> not (?:really |particularly )?(?:like|enjoy|love)|<hate>|<dislike>|<detest>"
        r"|<despise>|can not (?:stand|abide|bear)|(?:<have> )?never (?:really )?liked"
        r"|<be> not (?:a (?:big |huge )?fan of|into|fond of|keen on)",
        "dislikes",
        "hobby",
    ),
    Pattern(r"<do> not (?P<verb>eat|drink|smoke|drive|wear|own)", "does_not", "hobby"),
    Pattern(r"<do> not", "does_not", "abstained", "activity"),
    Pattern(
        r"can not (?P<verb>eat|drink|have) (?:anything|any food|food|foods|things|stuff) (?:with|containing|made with)",
        "cannot",
        "hobby",
        "substance",
    ),
    Pattern(r"can not (?P<verb>eat|drink|have)", "cannot", "hobby", "substance"),
    Pattern(r"<react> (?:(?:really|very|quite) )?badly to", "reacts_badly_to", "hobby", "substance"),
    Pattern(rf"<be> (?:\w+ly )?(?:allergic|intolerant) to{_IN_JEST}", "allergic_to", "hobby", "substance"),
    Pattern(r"<be> (?:\w+ )?(?:afraid|scared|terrified) of", "afraid_of", "hobby"),
    Pattern(
        r"<love>|<adore>|(?:<be>|<been>) (?:\w+ )?(?:in love with|crazy about|obsessed with|addicted to"
        r"|passionate about|hooked on)|fell in love with|<have> loved|<have> a passion for",
        "loves",
        "hobby",
    ),
    Pattern(r"<enjoy>|<have> (?:\w+ )?enjoyed|<been> (?:\w+ )?enjoying", "enjoys", "hobby"),
    Pattern(
        r"<like>|<have> liked|(?:<be>|<been>) (?:(?:really|so|more|very|super|also|pretty|big|totally"
        r"|always) )*(?:into|fond of|keen on|drawn to)|<be> a (?:\w+ )?fan of|<be> a (?:big"
        r"|huge) \w+ fan",
        "likes",
        "hobby",
    ),
    Pattern(r"<prefer>", "prefers", "hobby"),
    Pattern(r"<be> (?:\w+ )?interested in", "interested_in", "hobby"),
    Pattern(r"<love>|<have> always loved", "loves", "to_do", "activity"),
    Pattern(r"<like>|<enjoy>|<prefer>", "likes", "to_do", "activity"),
    Pattern(r"<be> (?:\w+ )?(?:excited|stoked|pumped|thrilled) (?:about|for)", "excited_about", "hobby"),
    Pattern(r"<be> (?:\w+ )?proud of", "proud_of", "hobby"),
    Pattern(r"<be> (?:\w+ )?(?:grateful|thankful) for", "grateful_for", "hobby"),
    Pattern(r"<be> all about", "likes", "hobby"),
    Pattern(r"(?:<be>|<been>) (?:\w+ )?focus(?:s?ing|s?ed) on|<focus> on", "focuses_on", "hobby"),
    Pattern(r"<recommend>|recommended", "recommends", "recommended"),
    Pattern(r"<believe> in", "believes_in", "hobby"),
    Pattern(r"<value>", "values", "hobby"),
    Pattern(r"<admire>|<have> always admired", "admires", "hobby"),
    Pattern(r"<cherish>", "cherishes", "hobby"),
    Pattern(r"<watch>", "watches", "hobby"),
    Pattern(r"<sell>", "sells", "hobby"),
    Pattern(r"<mentor>|<coach>", "mentors", "hobby"),
    Pattern(r"<need>", "needs", "owned"),
    Pattern(r"(?:used to have|had)", "had_pet", "pet", "pet", mode="event"),
    Pattern(r"<play>|<been> playing|<be> playing", "plays", "instrument", "activity"),
    Pattern(r"<play> for|<be> playing for", "plays_for", "club", "organization"),
    Pattern(r"<speak>", "speaks", "language", "language"),
    Pattern(r"started learning", "is_learning", "language", "language", since=True),
    Pattern(r"<be> learning|<been> learning", "is_learning", "language", "language"),
    Pattern(r"<be> learning|<been> learning", "is_learning", "infinitive", "activity"),
    Pattern(r"<collect>|<been> collecting", "collects", "hobby"),
    Pattern(r"<practice>|<be> practicing|<been> practicing", "practices", "hobby", "activity"),
    Pattern(r"<drive>", "drives", "vehicle", "vehicle"),
    Pattern(r"<ride>", "rides", "vehicle", "vehicle"),
    Pattern(r"<wear>", "wears", "worn", "thing"),
    Pattern(r"<support>|<follow>", "supports", "club"),
    *(Pattern(f"<{base}>", third(base), "amount", "amount") for base in "weigh earn owe".split()),
    Pattern("<pay>(?!.* between us\\b)", "pays", "paid", "amount"),
    Pattern("<pay>(?!.* between us\\b)", "pays", "amount", "amount"),
    Pattern("(?:<have> )?paid", "paid", "paid", "amount", mode="event"),
    Pattern(r"<have>(?: got)?", "has", "held", "thing"),
    Pattern(r"<live> with|<be> (?:back )?living with", "lives_with", "person", "person"),
    Pattern(r"used to play", "used_to_play", "instrument", "activity", mode="event"),
    Pattern(r"<have>(?: got)?|<own>", "owns", "owned"),
    Pattern(r"<have>(?: got)?|<own>", "owns", "possession"),
    Pattern(
        r"(?:<be> (?:now )?|sings? |<play> |<be> (?:singing|playing) )"
        r"in(?= (?:an?|the|my|our) (?:[\w-]+ ){0,2}(?:choir|band|orchestra|society|[\w-]+ club)\b)",
        "member_of",
        "thing",
        "group",
    ),
    Pattern(r"<be> (?:now )?(?:part|a member|members) of|<belong> to", "member_of", "organization", "group"),
    Pattern(r"<be> (?:\w+ )?inspired by", "inspired_by", "person", "person"),
    Pattern(r"<use>", "uses", "possession"),
    Pattern(r"<use>", "uses", "named"),
    Pattern(r"<have>(?: got| had)?|<get>|<suffer> from", "has_condition", "condition", "condition"),
    Pattern(
        r"(?:<have> been |<was> |got )diagnosed (?:with|as having)", "has_condition", "thing", "condition", since=True
    ),
    Pattern(r"<take>|<be> taking|<been> (?:taking|on)|<be>(?: now| back)? on", "takes", "drug", "medicine"),
    Pattern(r"(?:<was>|got|<been>|<have> been) (?:put|started) (?:back )?on", "was_prescribed", "drug", mode="event"),
    Pattern(r"<take>", "takes", "medicine", "medicine"),
    Pattern(r"<be>(?: now)? off|(?:<have> gone|went) off|can not do(?!.*\u27e6)", "avoids", "foregone"),
    Pattern(r"can not (?:do|make|manage)", "cannot_do", "day_off"),
    Pattern(r"(?:<be>|<wear>)(?: a)?(?= size)", "wears", "size"),
    Pattern("can not", "cannot", "inability"),
    Pattern("can", "can", "ability"),
    Pattern("<rent>", "rents", "owned"),
    Pattern(r"<be> (?:(?:now|still|back|currently|again) )?in", "is_in", "hospital"),
    Pattern(r"<be>(?: now)? on", "is_on", "shift"),
    Pattern(r"<be> (?:really |so |super |very )?looking forward to", "looks_forward_to", "hobby", mode="plan"),
    Pattern(r"<look> forward to", "looks_forward_to", "hobby", mode="plan"),
    Pattern(
        r"can not wait to|<be> (?:\w+ )?(?:excited|eager|keen|thrilled|pumped|stoked) to",
        "looks_forward_to",
        "deed",
        "activity",
        mode="plan",
    ),
    Pattern(r"<appreciate>", "appreciates", "hobby"),
    Pattern(r"loved", "loved", "hobby", mode="event"),
    Pattern(r"enjoyed", "enjoyed", "hobby", mode="event"),
    Pattern(r"used to (?:love|like|enjoy)", "used_to_love", "hobby", mode="event"),
    Pattern(r"used to go", "used_to_go", "going", "activity", mode="event"),
    Pattern(r"(?:<have> )?tried my hand at", "tried", "hobby", "activity", mode="event"),
    Pattern(r"<do>|<be> doing|<been> doing", "does", "sport", "activity"),
    *(Pattern(f"<{base}>", "does", gerund(base)) for base in EXERCISES),
    Pattern(r"<take>|<have>|<drink>|<like>", "takes", "brew"),
    Pattern(r"<go> to", "goes_to", "visitable"),
    Pattern(r"<go>", "goes", "going", "activity"),
    Pattern(r"<take>", "takes", "event"),
    *(
        Pattern(f"<{base}>", third(base), "habit")
        for base in "eat drink bake cook paint draw write sew knit design grow create make read".split()
    ),
)
