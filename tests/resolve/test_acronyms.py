import pytest

from mem0g.resolve.acronyms import is_acronym
from mem0g.resolve.names import parse


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("CS:GO", "Counter-Strike: Global Offensive"),
        ("NAAFI", "Navy, Army and Air Force Institutes"),
        ("ASEAN", "Association of Southeast Asian Nations"),
        ("AACSB", "Association to Advance Collegiate Schools of Business"),
        ("USA", "the United States of America"),
        ("UNESCO", "United Nations Educational, Scientific and Cultural Organization"),
        ("OMB", "U.S. Office of Management and Budget"),
        ("RCP", "Revolutionary Communist Party, USA"),
        ("ENASA", "Empresa Nacional de Autocamiones S.A."),
        ("WWII", "World War II"),
        ("WW2", "World War II"),
        ("POWs", "prisoners of war"),
        ("EM: HE", "Extreme Makeover: Home Edition"),
        ("N.B.A.", "National Basketball Association"),
    ],
)
def test_acronyms(short: str, long: str) -> None:
    """Beginnings of the words in order, small words, numbers and what stands around the name as wanted."""
    assert is_acronym(parse(short), parse(long))
    assert not is_acronym(parse(long), parse(short))


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("Ben", "Big Electric Network"),
        ("US", "United Nations"),
        ("NBA", "Basketball Association"),
        ("NB", "National Basketball Association"),
        ("HELP WANTED", "Hello Everyone Let People Win"),
        ("A", "Apple"),
        ("IBM", "IBM"),
    ],
)
def test_no_acronyms(short: str, long: str) -> None:
    """Words in small letters, letters too few or too many, a single letter, and the name itself are none."""
    assert not is_acronym(parse(short), parse(long))


def test_long_descriptions() -> None:
    """A description of hundreds of words is looked through in no time, and is no name to shorten."""
    assert not is_acronym(parse("AAAAAAAAAA"), parse("a " * 499 + "a"))
    assert not is_acronym(parse("ABABABABAB"), parse("of a b " * 120 + "c"))
