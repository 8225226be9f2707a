"""Common nouns: the kind of thing that a noun phrase names, by its last word."""

from __future__ import annotations

import re

from mem0g.text.english import KIN_SPELLINGS, NUMBERS

ANIMALS = {
    "dog": "dog", "dogs": "dog", "puppy": "dog", "puppies": "dog", "pup": "dog", "pups": "dog", "doggo": "dog",
    "retriever": "dog", "labrador": "dog", "poodle": "dog", "cat": "cat", "cats": "cat", "kitten": "cat",
    "kittens": "cat", "kitty": "cat", "hamster": "hamster", "hamsters": "hamster", "rabbit": "rabbit",
    "rabbits": "rabbit", "bunny": "rabbit", "parrot": "parrot", "parakeet": "parakeet", "turtle": "turtle",
    "turtles": "turtle", "tortoise": "tortoise", "snake": "snake", "lizard": "lizard", "gecko": "gecko", "horse":
    "horse", "horses": "horse", "pony": "horse", "fish": "fish", "goldfish": "fish", "chickens": "chicken",
    "ferret": "ferret", "ferrets": "ferret", "parrots": "parrot", "budgie": "budgie", "budgies": "budgie",
    "spaniel": "dog", "terrier": "dog", "greyhound": "dog", "beagle": "dog", "collie": "dog", "dachshund": "dog",
    "corgi": "dog", "whippet": "dog", "labradoodle": "dog", "tabby": "cat",
    "guinea pig": "guinea pig", "guinea pigs": "guinea pig", "pet": "pet", "pets": "pet",
}  # fmt: skip
"""Words for pets, plural and informal ones included, and the animal."""

EVENTS = """
concert concerts gig festival parade party wedding funeral conference meeting workshop class classes course lesson
lessons retreat fair exhibition exhibit show talk lecture seminar ceremony reunion game match tournament competition
convention expo event events fundraiser camp meetup celebration performance opera musical race marathon rally protest
picnic dinner gala auction group audition trip vacation hike walk cruise expedition excursion interview appointment
graduation hackathon championship premiere screening match training barbecue bbq session con symposium webinar tour
chat conversation reunion retreat sleepover getaway gathering meetup brunch lunch breakfast surgery checkup safari
exam exams stroke flight viewing deadline scan haircut operation holiday check-up viva audition recital
mammogram colonoscopy endoscopy ultrasound mri x-ray biopsy smear bloodwork vaccination consultation follow-up
induction orientation appraisal
""".split()
_PLACES = """
museum park beach lake mountains mountain zoo aquarium gallery garden gardens castle island forest woods farm market
restaurant cafe café bar pub theater theatre library shelter hospital store shop mall gym studio school church temple
bakery vineyard winery brewery campground waterfall canyon desert coast cabin resort hotel spa stadium river village
town city bookstore dealership homeless-shelter center centre trail bay valley arena clinic orphanage cottage
""".split()
_INSTRUMENTS = """
guitar piano violin drums drum cello flute saxophone clarinet accordion recorder trumpet ukulele harp banjo bass
keyboard viola trombone
""".split()
_SPORTS = """
tennis football soccer basketball volleyball baseball golf hockey rugby cricket badminton squash chess yoga swimming
running netball hiking cycling climbing skiing snowboarding surfing dancing boxing karate judo kickboxing pilates
archery pickleball padel crossfit gymnastics athletics rowing sailing triathlon lacrosse handball floorball darts
hurling camogie curling korfball futsal orienteering snooker wrestling taekwondo jiu-jitsu zumba bouldering
skating softball quilting bridge poker bingo dominoes mahjong scrabble backgammon
""".split()
_BELONGINGS = """
car cars bike bikes bicycle motorcycle motorbike house houses apartment flat condo cabin boat van truck scooter
guitar piano violin drums cello flute ukulele keyboard camera telescope laptop computer console tent
kit surfboard skateboard farm garden greenhouse store shop business restaurant cafe studio bakery company tablet
collection tattoo tattoos necklace ring bookshelf library printer bookcase pool caravan camper sofa couch aquarium
allotment kayak canoe telly tv television motorhome moped
""".split()
_WORKS = """
book books novel novels screenplay script story stories poem poems song songs album movie movies film films series
painting paintings article articles blog documentary podcast
""".split()
_CONDITIONS = """
asthma diabetes arthritis migraines adhd anxiety depression allergies insomnia epilepsy celiac alzheimer's dementia
parkinson's ms cancer apnea apnoea anaemia anemia autism colitis crohn's dyslexia dyspraxia endometriosis glaucoma gout
hepatitis hypertension hypothyroidism hyperthyroidism ibs lupus lymphoma leukaemia leukemia narcolepsy ocd
osteoarthritis osteoporosis pcos prediabetes ptsd reflux rosacea sciatica scoliosis tinnitus vertigo raynaud's
""".split()

_KINDS: dict[str, str] = {
    **dict.fromkeys(_BELONGINGS, "thing"),
    **dict.fromkeys(_PLACES, "place"),
    **dict.fromkeys(EVENTS, "event"),
    **dict.fromkeys(_INSTRUMENTS, "instrument"),
    **dict.fromkeys(_SPORTS, "activity"),
    **dict.fromkeys(_WORKS, "work"),
    **dict.fromkeys(_CONDITIONS, "condition"),
    **ANIMALS,
}

NATIONS = (
    "American|British|English|Scottish|Irish|Welsh|Canadian|Australian|German|French|Italian"
    "|Spanish|Portuguese|Dutch|Belgian|Swiss|Austrian|"
    "Swedish|Norwegian|Danish|Finnish|Icelandic|Polish|Czech|Slovak|Hungarian|Romanian"
    "|Bulgarian|Greek|Turkish|Russian|Ukrainian|Indian|"
    "Pakistani|Bangladeshi|Chinese|Japanese|Korean|Vietnamese|Thai|Filipino|Indonesian"
    "|Malaysian|Mexican|Brazilian|Argentinian|Chilean|"
    "Colombian|Peruvian|Cuban|Egyptian|Moroccan|Nigerian|Kenyan|Ethiopian|Ghanaian"
    "|South African|Israeli|Iranian|Iraqi|Lebanese|Syrian"
)
LANGUAGES = (
    "Latvian|Lithuanian|Estonian|Slovak|Slovene|Slovenian|Bulgarian|Georgian|Armenian|Basque|Galician|Gaelic|Afrikaans"
    "|Malay|Maltese|Albanian|Macedonian|Bosnian|Mongolian|Nepali|Tibetan|Somali|Amharic|Yoruba|Zulu|Flemish|Marathi|Gujarati|Telugu|Kannada|Malayalam|Pashto|Kurdish|Esperanto|"
    "English|Spanish|French|German|Italian|Portuguese|Dutch|Swedish|Norwegian|Danish|Finnish"
    "|Icelandic|Polish|Czech|Hungarian|Romanian|"
    "Greek|Turkish|Russian|Ukrainian|Arabic|Hebrew|Persian|Farsi|Hindi|Urdu|Bengali|Punjabi"
    "|Tamil|Chinese|Mandarin|Cantonese|Japanese|"
    "Korean|Vietnamese|Thai|Tagalog|Indonesian|Swahili|Latin|Welsh|Irish|Catalan|Croatian|Serbian|sign language|ASL"
)
"""Alternatives of a regular expression: nationalities and languages."""

TOOLS = frozenset(
    """
    Slack Teams Zoom Notion Jira Linear Trello Asana Discord Telegram Signal WhatsApp Skype GitHub GitLab Bitbucket
    Google Gmail Outlook Office Excel Dropbox Figma AWS Azure Kubernetes Docker Postgres PostgreSQL MySQL SQLite
    MongoDB Redis Kafka Python Java JavaScript TypeScript Kotlin Rust React Angular Vue Django Flask Linux Ubuntu
    Windows Mac macOS Android Chrome Firefox Safari Spotify Netflix Neo4j Terraform Jenkins Salesforce Grafana Datadog
    Prometheus Sentry Confluence Hetzner Cloudflare Vercel Netlify Heroku Supabase Firebase Snowflake BigQuery Airflow
    Svelte Node Deno FastAPI Rails Laravel Nginx Caddy Traefik Helm Ansible Pulumi Stripe Shopify HubSpot Zendesk
    Intercom Miro Obsidian Evernote Todoist ClickUp Basecamp Airtable OpenSearch Elasticsearch Clickhouse ClickHouse
    """.split()
)
"""Software that one moves to or works in, and that is no place."""
FIRMS = frozenset(
    "Google GitHub GitLab Dropbox Netflix Salesforce Slack Spotify Zoom Docker Skype Discord Figma".split()
)
"""Those of TOOLS that are also firms."""

_PROFESSIONS = frozenset(
    """
    nurse teacher doctor engineer programmer developer designer artist illustrator writer author journalist lawyer
    attorney architect accountant banker baker chef cook waiter waitress bartender barista carpenter electrician
    plumber mechanic pilot driver farmer gardener scientist researcher chemist physicist biologist mathematician
    professor lecturer student musician singer guitarist drummer pianist dancer actor actress comedian filmmaker
    director producer photographer editor translator librarian therapist psychologist psychiatrist counselor
    counsellor dentist vet veterinarian pharmacist paramedic firefighter soldier policeman officer detective secretary
    receptionist manager consultant analyst salesman salesperson cashier clerk entrepreneur freelancer intern trainee
    apprentice coach trainer instructor tutor blogger streamer gamer novelist screenwriter poet sculptor painter
    potter tailor hairdresser barber stylist model athlete footballer player realtor surveyor sailor fisherman butcher
    florist postman janitor cleaner nanny babysitter caretaker caregiver midwife surgeon cardiologist radiologist
    economist historian archaeologist geologist astronomer astronaut statistician recruiter marketer technician
    machinist welder millwright pipefitter ironworker longshoreman stevedore docker deckhand lineman arborist
    builder roofer volunteer activist politician mayor judge priest pastor monk nun rabbi imam
    actuary administrator ambassador anaesthetist anesthetist animator archivist auditor barrister beautician
    bouncer brewer bricklayer broker carer caterer childminder chiropractor composer concierge copywriter
    councillor courier curator decorator dietician dietitian diplomat dispatcher distiller forester geneticist
    glazier groomer headmaster headmistress headteacher hygienist interpreter jeweler jeweller jockey joiner
    landscaper lifeguard logistician magistrate masseur masseuse miner naturopath neurosurgeon notary nutritionist
    optician optometrist orthodontist osteopath paralegal phlebotomist physician physio physiotherapist planner
    plasterer policewoman publicist referee reporter saleswoman scaffolder seamstress senator shearer solicitor
    sommelier sous-chef sparky steward stewardess stonemason superintendent tiler trader trucker undertaker
    upholsterer urologist vicar violinist weaver
    """.split()
)

_ROLES = frozenset(
    """
    parent veteran introvert extrovert feminist christian muslim catholic buddhist hindu jew atheist immigrant refugee
    twin widow widower citizen survivor runner hiker swimmer surfer cyclist
    """.split()
).union(*(KIN_SPELLINGS[word] for word in ("mother", "father", "grandmother", "grandfather")))


FIELDS = frozenset(
    """
    insurance finance banking marketing advertising sales retail construction logistics education teaching healthcare
    medicine nursing hospitality catering tourism publishing journalism media film television fashion agriculture
    farming engineering manufacturing software it tech technology law politics research science consulting accounting
    hr recruitment security transport aviation shipping energy oil pharma pharmaceuticals biotech telecoms design
    architecture entertainment music gaming government administration procurement procurement purchasing
    """.split()
)

BUSINESSES = frozenset(
    "shop business company farm restaurant cafe café bakery bar pub store firm practice studio lease team".split()
)


def kind_of(name: str) -> str:
    """Return the kind of thing by the last word of ``name``: event for "charity race"; "" if unknown."""
    head = name.lower().split(" of ")[0].rsplit(" ", 1)[-1].strip("'\"")
    return _KINDS.get(head, "")


def animal(name: str) -> str:
    """Return the animal that ``name`` names: dog for "golden retriever"; "" for anything else."""
    words = _CROSSED.sub("", name.lower()).split()
    for size in (2, 1):
        if found := ANIMALS.get(" ".join(words[-size:])):
            return found
    return ""


_CROSSED = re.compile(r"(?<=\w)[ -](?:mix|cross|puppy|pup)$")
"""After a breed: "a beagle mix"."""


def is_belonging(name: str) -> bool:
    """Whether "I have a …" means possession: a car, not an idea."""
    return name.lower().split(" of ")[0].rsplit(" ", 1)[-1] in _BELONGINGS or _is_make(name) or _is_device(name)


_MAKES = frozenset(
    """
    Audi BMW Citroen Cupra Dacia Ducati Fiat Ford Honda Hyundai Jaguar Jeep Kawasaki Kia Lexus Mazda Mercedes Mini
    Mitsubishi Nissan Opel Peugeot Polestar Porsche Renault Seat Skoda Subaru Suzuki Tesla Toyota Vauxhall Vespa
    Volkswagen Volvo VW Yamaha Brompton Buick Cadillac Chevy Chevrolet Chrysler Dodge Triumph
    """.split()
)
"""Makes of cars, motorbikes and bicycles."""
_ALSO_WORDS = frozenset("dodge jaguar jeep mini seat triumph".split())


def _is_make(name: str) -> bool:
    """Whether it is a vehicle by its make: Skoda, Honda Civic, in lower case the make alone."""
    make, _, model = name.partition(" ")
    if make.islower():
        return not model and make not in _ALSO_WORDS and not _MAKES.isdisjoint({make.capitalize(), make.upper()})
    return make in _MAKES and all(word[0].isupper() or word[0].isdigit() for word in model.split())


def _is_device(name: str) -> bool:
    """Whether it is a device by its name: iPhone 15, MacBook Air."""
    return _DEVICE.fullmatch(name) is not None


_DEVICE = re.compile(
    r"(?:iphone|ipad|imac|macbook|kindle|playstation|xbox|chromebook|thinkpad|fitbit|garmin|steam deck|gopro"
    r"|nintendo switch|apple watch|(?:google )?pixel \d|(?:samsung )?galaxy \w\d+)"
    r"(?: (?:pro|air|max|mini|plus|ultra|se|\w?\d+\w?))*",
    re.IGNORECASE,
)


def is_condition(name: str) -> bool:
    """Whether it is a chronic health condition, not three attacks of one."""
    if _COUNTED.match(name):
        return False
    return name.lower().rsplit(" ", 1)[-1] in _CONDITIONS or _CONDITION.search(name.lower()) is not None


_COUNTED = re.compile(rf"(?:{'|'.join(NUMBERS[1:])}|\d+|few|some|several|many|no) ", re.IGNORECASE)
_CONDITION = re.compile(
    r"\b(?:blood pressure|cholesterol|disease|syndrome|disorder|allergy|sclerosis|fibromyalgia|psoriasis|eczema"
    r"|migraine|hay fever)$"
    r"|^bad (?:back|hip|knee|knees|shoulder|heart|hearing|eyesight|asthma)$"
)


def is_profession(name: str) -> bool:
    """Whether it is a profession."""
    named = name.lower().split(" of ")[0].split(" at ")[0]
    head = named.rsplit(" ", 1)[-1]
    return head in _PROFESSIONS or _PROFESSION.search(head) is not None or _OF_TWO_WORDS.search(named) is not None


_PROFESSION = re.compile(r"[a-z]{3}(?:ographer|ologist|iatrist|iatrician|keeper|monger|(?<!trouble)maker|smith)$")
"""Ends of words for professions."""
_OF_TWO_WORDS = re.compile(
    r"\b(?:(?:social|care|youth|support|aid|factory|construction|postal|case|warehouse|community|health) worker"
    r"|(?:estate|travel|booking|letting|insurance|ticket) agent|(?:air|ground) (?:hostess|crew)"
    r"|(?:teaching|personal|dental|shop|sales|research|care|healthcare|veterinary|executive|nursing) assistant"
    r"|team lead(?:er)?|train conductor|scrum master|au pair)$"
)
"""Professions whose last word alone is none."""


def is_role(name: str) -> bool:
    """Whether it is a lasting role other than a profession."""
    return name.lower().split(" of ")[0].rsplit(" ", 1)[-1] in _ROLES
