"""Function words of five languages: English, German, Spanish, French, Dutch; and which of them a text is written in."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain, islice
from typing import Final

from mem0g.text.english import STOP_WORDS as ENGLISH
from mem0g.text.names import fold, lowered, words
from mem0g.text.remembering import remembered

STOP_WORDS: Final = {
    "english": ENGLISH,
    "german": frozenset(
        "aber alle allem allen aller alles als also am an ander andere auch auf aus bei beim bin bis bist da damit "
        "dann das dass dein deine dem den denn der des dich die dies diese dieser dieses dir doch dort du durch ein "
        "eine einem einen einer eines er es euch euer eure für gegen gibt hab habe haben habt hast hat hatte hatten "
        "hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ins ist ja jede jeder jedes jemand kann "
        "kannst können könnt mach mache machen machst macht man mehr mein meine meinem meinen meiner mich mir mit muss "
        "nach nicht noch nun nur ob "
        "oder ohne schon sehr sein seine seinem seinen seiner seit sich sie sind so soll sollen um und uns unser "
        "unsere unter vom von vor war waren warst weil wenn werde werden wird wir wurde wurden während zu zum zur "
        "über".split()
    ),
    "spanish": frozenset(
        "a al algo ante antes como con contra de del desde donde durante e el ella ellas ellos en entre era eran eres "
        "es esa ese eso esta estaba estado estamos estar este esto estos está están estoy fue fueron ha había han has "
        "hasta hay he la las le les lo los me mi mis mucho muy más nada ni no nos nosotros nuestra nuestro o os otra "
        "otro para pero por porque que se sea ser si sin sobre son soy su sus también te tengo ti tiene tienen todo "
        "todos tu tus un una uno unos va vamos voy y ya yo él".split()
    ),
    "french": frozenset(
        "a ai as au aussi aux avec c'est car ce ces cet cette dans de des du elle elles en es est et eu eux il ils "
        "j'ai je la le les leur leurs lui ma mais me mes moi mon même n'est ne nos notre nous on ont ou par pas plus "
        "pour qu que s'est sa sans se sera ses si son sont suis sur ta te tes toi ton tu un une vos votre vous y à "
        "été était être avoir avait fait".split()
    ),
    "dutch": frozenset(
        "aan al alle als ben bent bij daar dan dat de deze die dit doch door dus een en er ge geen haar had hadden heb "
        "hebben hebt heeft hem het hier hij hun ik in is ja je jij jou jouw jullie kan kon maar me meer men met mij "
        "mijn na naar niet nog nu of om onder ons onze ook op over te tegen toch toen tot u uit uw van veel voor want "
        "waren was we wel werd wij wil word worden wordt ze zei zich zij zijn zo zonder zou".split()
    ),
}
"""Function words by language: they say nothing about what is meant."""

QUESTION_WORDS: Final = {
    "english": frozenset("what when where which who whom whose why how".split()),
    "german": frozenset(
        "was wann warum wer wem wen wessen wie wieso weshalb wo woher wohin womit wofür worüber wogegen wovon woran "
        "worauf welche welchem welchen welcher welches wieviel".split()
    ),
    "spanish": frozenset(
        "qué cuándo dónde cuál cuáles quién quiénes cómo cuánto cuánta cuántos cuántas adónde".split()
    ),
    "french": frozenset(
        "qui quoi quand où quel quelle quels quelles pourquoi comment combien lequel laquelle qu'est-ce est-ce".split()
    ),
    "dutch": frozenset(
        "wat wanneer waar waarom wie wiens hoe hoeveel welk welke waarheen waarmee waarvoor waarover".split()
    ),
}
"""Words that ask, by language."""

SPEAKING: Final = frozenset(
    "i i'm im i've ive i'd i'll we we're we've we'd we'll ich wir hab habe yo nosotros nosotras soy estoy tengo "
    "je j'ai j'étais j'habite nous ik wij".split()
)
"""Subjects in the first person."""

FIRST_PERSON: Final = SPEAKING | frozenset(
    "me my mine myself us our ours mich mir mein meine meinem meinen meiner uns unser unsere unserem unseren unserer "
    "mi mis mí nuestra nuestro nuestras nuestros moi mon ma mes notre nos mij mijn ons onze".split()
)
"""Words by which speakers mean themselves, or themselves and others."""

CONTENT_WORDS: Final = {
    "english": frozenset(
        "ai al allen ante ben bent bin car como comment con contra dan del dem den dies die dir door elle era est eu "
        "hat hay hem hoe la ma man men met mis mit mon nun os par plus pour sans sea sin son soy tes todo ton tot un "
        "uno van want war word dank dag genial jo klar nee parfait prima toll vale".split()
    ),
    "german": frozenset("ai allen ben dan eu las mais mine most not ton un van".split()),
    "spanish": frozenset("dan mes once par sur".split()),
    "french": frozenset("an ben but dan dit dort eu hier met mine nu sein van".split()),
    "dutch": frozenset("ai an been dag dans eu les mais man mes mine ton vos".split()),
}
"""Words that say something in a language although they are function words or interjections in another: "car", "son"."""

INTERJECTIONS: Final = frozenset(
    "ah aha alright aww bye cheers congrats congratulations cool done exactly fine good great haha hah hehe hello hey "
    "hi hm hmm hooray indeed k kk lol lovely nice nope noted oh ok okay omg oops ouch perfect please right sorry sure "
    "thank thanks thx ty ugh uh um understood welcome well wow yay yeah yep yes yikes yo yup "
    "bitte danke genau gerne hallo jo klar na nee nein oh prima servus super tja toll "
    "claro genial gracias hola perfecto sí vale bonjour d'accord merci non oui parfait salut voilà "
    "bedankt dank dag graag hoi leuk".split()
)
"""Words that answer, greet or thank without saying anything."""

_ENDING = (
    "no longer",
    r"not(?=.{0,40}\bany ?more)",
    *("any ?more", "any longer", "cancel(?:l?ed|s|ling)?", "called off"),
    *(f"{verb} (?:off|over|gone)" for verb in ("is", "are", "was", "were", "'s")),
    *("quit(?:s|ting)?", "left", "leaving", "stopped", "sold"),
    *(f"{verb}(?:e|en|ing) (?:(?:it|that|this|them) )?up" for verb in ("gav", "giv")),
    *("stepp(?:ed|ing) down", "dropp(?:ed|ing) out", "pull(?:ed|ing) out", "back(?:ed|ing) out"),
    *("drop out", "pull out", "back out", "withdrew", "ended", "dropped", "ditched"),
    *("rejected", "broke up", "divorced", "not going", "won't"),
    *(f"{verb} ?n[o']t" for verb in ("let's", "do", "does", "did", "should")),
    *("nicht mehr", r"kein\w*(?= .{0,30}\bmehr)", "abgesagt", "storniert", "gekündigt", "aufgehört", "aufgegeben"),
    *("verkauft", "verlassen", "fällt aus"),
    *("ya no", "cancelad[oa]", "dej[ée]", "dejado", "vend[ií]"),
    *(r"ne(?=.{0,30}\bplus\b)", r"n'(?=.{0,30}\bplus\b)", "annulée?", "quittée?", "arrêté", "vendue?"),
    *("niet meer", r"geen(?=.{0,30}\bmeer)", "afgezegd", "geannuleerd", "gestopt", "verkocht", "opgezegd"),
)

ENDING: Final = re.compile(rf"\b(?:{'|'.join(_ENDING)})\b")
"""Words that say that something ended."""

_CHANGING = (
    *("now(?<!for now)(?<!right now)", "instead", "after all", "actually"),
    *("mov(?:e|es|ed|ing)", "switch(?:ed|ing)?", "chang(?:e|es|ed|ing)"),
    *("mean", "meant", "correction", "rather"),
    *("new", "postponed", "rescheduled", "pushed", "brought forward", "delayed", "upgraded", "replac(?:e|ed|es|ing)"),
    *(
        "rebooked",
        "swap(?:s|ped|ping)?",
        "restored?",
        "revert(?:s|ed)?",
        "extended",
        "shortened",
        "adjusted",
        "revised",
    ),
    *("bumped", "slip(?:s|ped)", "raised", "lowered", "upped", "reduced", "increased", "updated?", "brought back"),
    *(
        r"bring(?= .{0,12}\bback\b)",
        "make (?:it|that)",
        "in the end",
        "ended up",
        "settled on",
        "decided on",
        "went with",
    ),
    *(rf"{verb}(?= (?:\w+ )?to \d)" for verb in ("set", "up", "down", "back", "cut", "over")),
    *("umgebucht", "verlegt", "vorverlegt", "verlängert", "verkürzt", "getauscht", "angepasst", "erhöht", "gesenkt"),
    *("umgestiegen", "umgestellt", "umentschieden", "letztendlich", "am ende"),
    *("takes? over", "took over", "taken over", "taking over", "became", "turns out", "from now on"),
    *(r"not(?=.{0,30}\bbut\b)", "got that wrong", "was wrong", "my mistake"),
    *("jetzt", "nun", "stattdessen", "statt", "umgezogen", "ziehe", "gewechselt", r"wechsel\w*", "geändert"),
    *("neue[nrsm]?", "verschoben", "verspätet", "eigentlich", "meinte", "sondern", "doch", "planänderung"),
    *("inzwischen", "mittlerweile"),
    *("ahora", "en vez de", "en lugar de", "mudé", "cambi(?:é|ado|ó)", "nuev[oa]", "en realidad", "quise decir"),
    "aplazad[oa]",
    *("maintenant", "désormais", "à la place", "plutôt", "déménagé", "changé", "nouve(?:au|lle)", "en fait"),
    *("je voulais dire", "reporté"),
    *("nu", "in plaats van", "verhuisd", "veranderd", "nieuwe?", "eigenlijk", "bedoelde", "verplaatst", "uitgesteld"),
)
_CORRECTING = ("no", "nope", "nein", "nee", "non", "sorry")

CHANGING: Final = re.compile(rf"\b(?:{'|'.join(_CHANGING)})\b|^(?:{'|'.join(_CORRECTING)})\b")
"""Words that say that something is no longer as it was."""


def _beginnings(cues: Iterable[str]) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the whole words, and the beginnings of words, with which what matches one of these patterns begins."""
    found = [(each, each[: match.end()]) for each in cues if (match := re.match(r"[^\W\d_]+(?![?*{])", each))]
    whole = {each: head for each, head in found if re.match(r"'| (?!\?)|\(\?=|$", each[len(head) :])}
    return frozenset(whole.values()), tuple(head for each, head in found if each not in whole)


_BEGIN_ENDING, _BEGIN_CHANGING = _beginnings(_ENDING), _beginnings((*_CHANGING, *_CORRECTING))


@lru_cache(maxsize=65536)
def may_revise(word: str) -> int:
    """Return 1 if a cue of CHANGING may begin with a word of ASCII letters and digits, 2 one of ENDING, 3 of both."""
    changes, ends = (
        word in whole or word.startswith(beginnings) for whole, beginnings in (_BEGIN_CHANGING, _BEGIN_ENDING)
    )
    return changes + 2 * ends


def revisions(folded: str) -> tuple[bool, bool]:
    """Return whether a folded text has a match of CHANGING, and one of ENDING.

    A look at its words, each remembered, leaves few texts in ASCII to be searched, which takes five times as long.
    """
    if folded.isascii() and "'" not in folded:
        may = set(map(may_revise, words(folded)))
        changes, ends = not may <= _NEVER_CHANGING, not may <= _NEVER_ENDING
    else:
        changes = ends = True
    return changes and CHANGING.search(folded) is not None, ends and ENDING.search(folded) is not None


_NEVER_CHANGING, _NEVER_ENDING = frozenset((0, 2)), frozenset((0, 1))

_WISHING = re.compile(
    r"(?:i (?:really |just |so )?wish|if only|if i (?:won|had|were|could)"
    r"|i(?:'d| would) (?:really |just )?(?:love|kill)\b"
    r"|ich (?:wünschte|wollte, ich)|ich (?:hätte|wäre|würde) (?:so |sehr |wirklich )?gern|wenn ich doch"
    r"|ojal[aá]|me (?:gustaría|encantaría)|quisiera|si (?:yo )?(?:tuviera|ganara|pudiera)"
    r"|j'aimerais|je voudrais|si (?:j'avais|j'étais|je gagnais|seulement)"
    r"|ik wou\b|ik zou (?:zo |heel )?(?:graag|willen)|(?:was|had) ik maar)"
)
"""The beginning of a wish, or of what is only supposed."""

_ASKING_FOR_WISHES = re.compile(
    r"\b(?:wish|would|dream|want|hope|like to|love to|möchte|würde|wünsch|träum|hoff|quier|gustar|desea|sueñ"
    r"|voudrai|aimerai|souhait|rêve|wil|zou|wens|droom)"
)

_PAST: Final = {
    "german": r"früher|damals|vorher|zuvor|ehemalig\w*|einst|gewohnt|wohnte\w*|nicht mehr|als kind",
    "spanish": r"antes(?! de)|anteriormente|antigu[oa]s?|solía[ns]?|\w+aban?|vivían?|tenían?|ya no|de niñ[oa]",
    "french": r"avant(?! (?:le|la|les|de|midi))|auparavant|autrefois|à l'époque|ancien(?:ne)?s?|habitai\w+|vivai\w+"
    r"|travaillai\w+|ne \w+ plus|enfant",
    "dutch": r"vroeger|destijds|voorheen|eerder|voormalige?|woonden?|werkten?|niet meer|als kind",
}
"""Words that ask about the past, by language; for English see mem0g.retrieve.question.temporal_intent."""

_MARK_BEFORE_END = re.compile(r"\W*?[?？؟]")
"""The end of a question, read backwards: a search for it forwards takes quadratic time on a run of question marks."""

_LETTERS = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_ALL = frozenset().union(*STOP_WORDS.values(), *QUESTION_WORDS.values(), INTERJECTIONS, FIRST_PERSON)
FUNCTION_WORDS: Final = {language: (words | QUESTION_WORDS[language]) for language, words in STOP_WORDS.items()}
"""Stop words and question words by language."""

SILENT_WORDS: Final = {language: _ALL - telling for language, telling in CONTENT_WORDS.items()}
"""What says nothing in a text in each language: function words, question words and interjections of all of them, as a
text in one has bits of others and a short one does not show its language, but for those that mean something in it."""

AMBIGUOUS: Final = _ALL.intersection(chain.from_iterable(CONTENT_WORDS.values()))
"""Function words of which the language decides whether they say something."""

_KNOWN: Final = {language: known | CONTENT_WORDS[language] for language, known in FUNCTION_WORDS.items()}
_KNOWN_OF_ANY: Final = frozenset().union(*_KNOWN.values())

FOREIGN: Final = _KNOWN_OF_ANY - FUNCTION_WORDS["english"]
"""Words by which a text may show to be in another language than English: without any of them it counts as English."""

LOOKED_AT = 200
"""Texts of a conversation by which its language is guessed."""

AT_LEAST = 2
"""Function words that a text has to have to count as written in another language than English."""

TELEGRAM = 3
"""Words up to which English may do without function words: "Met Ben yesterday"."""

_SHORTENED: Final = {
    "english": re.compile(r"[a-z]+(?:'(?:m|re|ve|ll|d)|n't)|(?:it|that|what|there|here|he|she|who|where|how|let)'s"),
    "french": re.compile(r"(?:[cdjlmnst]|qu)'[aeiouyhàâéèêîôû].*"),
}
"""Words that contain a shortened function word: "I'm", "s'appelle"."""


def _words(text: str) -> list[str]:
    return _LETTERS.findall(lowered(text))


def word_set(text: str) -> frozenset[str]:
    """Return the words of ``text``, folded, with apostrophes and hyphens inside: "i'm"."""
    return frozenset(_words(text))


def asks(text: str) -> bool:
    """Return whether ``text`` ends with a question, whatever marks follow its question mark."""
    if "?" not in text and "？" not in text and "؟" not in text:
        return False
    return _MARK_BEFORE_END.match(text[::-1]) is not None


def wishes(text: str) -> bool:
    """Return whether ``text`` begins with a wish or supposes: "I wish I had a dog", "If I won the lottery"."""
    return _WISHING.match(fold(text[:80]).lstrip(" \"'“‘«¡")) is not None


def asks_for_wishes(question: str) -> bool:
    """Return whether a question asks for wishes: "What would Bo buy?"."""
    return _ASKING_FOR_WISHES.search(fold(question)) is not None


def asks_about_past_in(language: str, question: str) -> bool:
    """Return whether a question in another language than English asks about the past: "Wo hat sie früher gewohnt?"."""
    cues = _PAST.get(language)
    return cues is not None and re.search(rf"\b(?:{cues})\b", fold(question)) is not None


def is_function_word(word: str, language: str = "english") -> bool:
    """Whether a folded word is a function word, a question word or an interjection, in a text in ``language``.

    Those of the other languages are as well ("der" in English), except where they mean something in it ("hat").
    """
    return word in SILENT_WORDS[language]


@remembered
def guess_language(text: str) -> str:
    """Return the language most of whose words ``text`` has, "english" unless another one has more, and two function
    words.

    The words that are looked for are function words, and those of other languages that mean something in this one. Of
    more than TELEGRAM words that are English some are function words.
    """
    found = _words(text)
    counts = {language: sum(map(known.__contains__, found)) for language, known in _KNOWN.items()}
    own = {language: sum(map(known.__contains__, found)) for language, known in FUNCTION_WORDS.items()}
    for word in found:
        if "'" in word and word not in _KNOWN_OF_ANY:
            for language in (each for each, shortened in _SHORTENED.items() if shortened.fullmatch(word)):
                counts[language] += 1
                own[language] += 1
    if not own["english"] and len(found) > TELEGRAM:
        counts["english"] = 0
    best = max(counts, key=lambda language: counts[language])
    return best if own[best] >= AT_LEAST and counts[best] > counts["english"] else "english"


def main_language(texts: Iterable[str]) -> str:
    """Return the language of most of the first texts that have enough function words to recognise one."""
    counts = Counter(
        max(_KNOWN, key=lambda language: len(said & _KNOWN[language]))
        for said in map(word_set, islice(texts, LOOKED_AT))
        if any(len(said & known) >= AT_LEAST for known in FUNCTION_WORDS.values())
    )
    return counts.most_common(1)[0][0] if counts else "english"
