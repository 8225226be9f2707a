"""The names of countries."""

from __future__ import annotations

import pytest

from mem0g.text.countries import countries, is_country


@pytest.mark.parametrize("name", ["Norway", "the U.K.", "USA", "the Netherlands", "Côte d’Ivoire", "NEW ZEALAND"])
def test_a_country(name: str) -> None:
    """A country is known by each of its names, in any case, with an article and points or without."""
    assert is_country(name)


@pytest.mark.parametrize("name", ["Oslo", "Singapore", "California", "Norway, Maine", "", "Europe", "Georgia"])
def test_no_country(name: str) -> None:
    """No city or part of a country is one, nor a name that means a city or a state as often."""
    assert not is_country(name)


def test_the_list_is_folded() -> None:
    """Each name is written as it is compared, and stands once."""
    names = [name for row in countries() for name in row]
    assert len(names) == len(set(names)) > 200
    assert all(is_country(name) for name in names if " " in name and name != "hong kong")
