"""Times as people write them."""

from datetime import UTC

import pytest

from mem0g.errors import TimeError
from mem0g.times import Moment
from mem0g.transcripts.timestamps import find_time, is_date_line


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1:56 pm on 8 May, 2023", "2023-05-08T13:56:00Z"),
        ("12:48 am on 1 February, 2023", "2023-02-01T00:48:00Z"),
        ("12:00 PM, Sept. 3rd 2023", "2023-09-03T12:00:00Z"),
        ("the 2nd of June 2023", "2023-06-02"),
        ("2023-5-8", "2023-05-08"),
        ("2023-05-08T13:56:07.25Z", "2023-05-08T13:56:07Z"),
        ("2023-05-08 13:56 +0200", "2023-05-08T11:56:00Z"),
        ("2023-05-08 13:56 UTC", "2023-05-08T13:56:00Z"),
        ("May 2023", "None"),
        ("8 Mai 2023", "None"),
        ("120234-05-081", "None"),
    ],
)
def test_a_date_and_the_clock_beside_it_are_found(text: str, expected: str) -> None:
    """In the order of either side of the ocean, to the precision that is stated."""
    found = find_time(text, UTC)
    assert str(found and Moment(*found)) == expected


@pytest.mark.parametrize("text", ["2023-02-30", "31 June 2023", "2023-05-08 25:00"])
def test_a_day_or_an_hour_that_there_is_not_is_an_error(text: str) -> None:
    """It is not taken for words."""
    with pytest.raises(TimeError):
        find_time(text, UTC)


def test_a_date_line_says_nothing_else() -> None:
    """Long runs of digits and words beside the date make it something else."""
    assert is_date_line("Session 12, on Monday the 1st of May 2023 at 14:05")
    assert not is_date_line("We met on 1 May 2023")
    assert not is_date_line("2023-05-01 " + "1" * 5000)
    assert not is_date_line("Session 12")
