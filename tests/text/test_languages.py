"""The language of a text by its function words."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mem0g.text.languages import (
    CHANGING,
    CONTENT_WORDS,
    ENDING,
    asks,
    asks_for_wishes,
    guess_language,
    is_function_word,
    main_language,
    revisions,
    wishes,
    word_set,
)
from mem0g.text.names import fold
from mem0g.text.stemming import content, restemmed, tokens

CUES = sorted(set(re.findall(r"[^\W\d_]+(?:'\w)?", CHANGING.pattern + ENDING.pattern)))
"""Words, and parts of words, of the patterns for revisions."""


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Where does she live now?", "english"),
        ("Wo wohnt die Tante jetzt?", "german"),
        ("¿Dónde vive la abuela de Marta?", "spanish"),
        ("Où est-ce que tu travailles maintenant ?", "french"),
        ("Waar woont de oma van Marta?", "dutch"),
        ("Is Dan in the van at the door?", "english"),
        ("My son has a hat", "english"),
        ("Hat man", "english"),
        ("Man hat mich im Haus gesehen", "german"),
        ("Die Oma war krank", "german"),
        ("Met Ben yesterday", "english"),
        ("I'm glad Ben met Dan", "english"),
        ("Mon fils s'appelle Max", "french"),
        ("Helsinki", "english"),
        ("", "english"),
        ("她住在哪里？", "english"),
    ],
)
def test_guessed_language(text: str, language: str) -> None:
    """The language with most function words in a text, English where there is no sign of another."""
    assert guess_language(text) == language


@pytest.mark.parametrize(
    "text",
    [
        "I wish I had a parrot",
        "If only it rained",
        "I'd really love to sail",
        "Ich hätte so gern einen Hund",
        "¡Ojalá viviera en Cádiz!",
        "J'aimerais avoir un chien",
        "Ik zou graag in Noorwegen wonen",
    ],
)
def test_wishes(text: str) -> None:
    """A wish is known by its beginning."""
    assert wishes(text)


@pytest.mark.parametrize("text", ["", "I have a parrot", "I love sailing", "Bo wishes you well", "Ich wohne gern hier"])
def test_no_wishes(text: str) -> None:
    """What is so is no wish."""
    assert not wishes(text)


def test_questions_for_wishes() -> None:
    """A question may ask for wishes, or for what is so."""
    assert asks_for_wishes("What would Bo buy?")
    assert not asks_for_wishes("Where does Bo live?")


def test_function_words() -> None:
    """Question words, stop words and interjections of every language are function words."""
    assert all(map(is_function_word, ["who", "wann", "dónde", "pourquoi", "waarom", "ok", "danke", "je"]))
    assert not is_function_word("parrot")


def test_words_with_apostrophes() -> None:
    """A contraction is one word."""
    assert word_set("I'm Bo’s aunt-in-law!") == {"i'm", "bo's", "aunt-in-law"}


def test_content_words() -> None:
    """Function words, interjections and what contractions leave are no content; numbers are."""
    assert content("I've paid, it's Bo's 2nd parrot, isn't it? Thanks!") == {"paid", "bo", "2nd", "parrot"}
    assert content("Ja, das ist doch der Papagei von Bo") == {"papagei", "bo"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I have sold my car", {"sold", "car"}),
        ("My son has a hat", {"son", "hat"}),
        ("Ben met two men in a van by the sea", {"ben", "met", "two", "men", "van", "sea"}),
        ("Where is the door?", {"door"}),
        ("I want to comment on the war", {"want", "comment", "war"}),
        ("man", {"man"}),
        ("Die war im Haus, und er hat den Hund", {"haus", "hund"}),
        ("La voiture est en panne car il fait froid", {"voitur", "pann", "froid"}),
        ("Mi son es de Cuba", {"cuba"}),
        ("J'ai vendu ma voiture", {"vendu", "voitur"}),
        ("Tengo once gatos y un perro", {"onc", "gato", "perro"}),
        ("C'est pas hier, mais on a un an", {"hier", "an"}),
        ("Mijn been is heel, en de dag is lang", {"been", "heel", "dag", "lang"}),
    ],
)
def test_the_language_decides_which_words_are_content(text: str, words: set[str]) -> None:
    """A function word of one language that means something in another is left out in the one, not in the other."""
    assert content(text) == words


def test_a_part_is_in_the_language_of_the_whole() -> None:
    """The language of a text may be given with a part of it that does not show it."""
    assert content("hat verkauft") == {"hat", "verkauft"}
    assert content("hat verkauft", "german") == {"verkauft"}


@pytest.mark.parametrize("language", CONTENT_WORDS)
def test_words_with_two_meanings_are_function_words_elsewhere(language: str) -> None:
    """Each word that says something in a language is one that says nothing in another."""
    others = [each for each in CONTENT_WORDS if each != language]
    assert all(any(is_function_word(word, other) for other in others) for word in CONTENT_WORDS[language])
    assert not any(is_function_word(word, language) for word in CONTENT_WORDS[language])


def test_stems_of_another_language() -> None:
    """Stems of a language bring its forms together; its stop words are left out."""
    one, other = (restemmed(tokens(text), "german") for text in ("Wo sind die Wohnungen?", "Er hat eine Wohnung"))
    assert one == other
    assert restemmed(tokens("the keys"), "english") == ["key"]


def test_language_of_a_conversation() -> None:
    """Most of the texts decide that have function words enough; nothing to go by is English."""
    german = ["Wo ist die Leiter?", "ok", "Die steht bei mir im Keller", "The key is on the table"]
    assert main_language(german) == "german"
    assert main_language(["The ladder is in the cellar", "ja", "Helsinki"]) == "english"
    assert main_language([]) == "english"
    assert main_language(["它在哪里？"]) == "english"


@pytest.mark.parametrize(
    ("text", "asking"),
    [
        ("Where is it?", True),
        ("Where is it? 😀", True),
        ("Is it? It is.", False),
        ("它在哪里？", True),
        ("", False),
        ("أين هو؟", True),
        pytest.param("?!?" * 300_000 + "a", False, id="many marks"),
    ],
)
def test_what_asks(text: str, asking: bool) -> None:
    """A text asks if it ends with a question mark, emoji aside."""
    assert asks(text) is asking


@given(
    st.lists(st.sampled_from([*CUES, "a", "off", "over", "plus", "meer", "any more", "but", "Oslo", "-"]), max_size=6)
)
@example(["anymore"])
@example(["pulled", "out"])
@example(["it's", "off"])
@example(["no,", "11 May"])
def test_the_quick_look_for_a_revision_misses_none(words: list[str]) -> None:
    """What revisions says of a text is what its two patterns find in it."""
    text = fold(" ".join(words))
    assert revisions(text) == (CHANGING.search(text) is not None, ENDING.search(text) is not None)
