"""Quotations of passages."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mem0g.retrieve.context.excerpts import LONGEST, excerpt
from mem0g.text.stemming import tokens
from mem0g.text.token_count import count_words

PASSAGE = """Install the package first. It has no dependencies of its own.

The session timeout is 30 minutes by default. You can change it in the settings.

```python
app.config["TIMEOUT"] = 1800
    # nested
```

Restart the server afterwards, and test that you are logged out."""


def stems(text: str) -> frozenset[str]:
    """The stems of a question."""
    return frozenset(tokens(text))


def test_the_sentences_asked_about() -> None:
    """Those with most of the words, with what fits after them, and marks where something is left out."""
    quoted = excerpt(PASSAGE, "Sessions", stems("How long is the session timeout?"), 17)
    assert quoted == "… Sessions: The session timeout is 30 minutes by default. You can change it in the settings. …"


def test_code_stays_as_it_is() -> None:
    """Lines of code are lines of their own, indented, so that none looks like a line of the context."""
    quoted = excerpt(PASSAGE, "", stems("app.config TIMEOUT"), 8)
    assert quoted == '… app.config["TIMEOUT"] = 1800\n        # nested …'


def test_identifiers() -> None:
    """The line with a whole version counts more than one with its digits; names in camel case have their words."""
    text = "Step 2 takes 6 of 0 minutes.\nPin it to 0.6.2 first.\nThen call getUserById once."
    assert excerpt(text, "", stems("0.6.2") | {"0 6 2"}, 5) == "… Pin it to 0.6.2 first. …"
    assert excerpt(text, "", stems("the id of a user"), 5) == "… Then call getUserById once."


def test_marks_are_left_out() -> None:
    """Those of headings, lists and bold words, so that more words fit; names with underscores stay."""
    text = "## 2. Plan\n- **Task:** Water `__init__`\n* Then rest.\n---\n| a * b ** c |"
    assert excerpt(text, "", stems("plan")) == "2. Plan; Task: Water `__init__`; Then rest. | a * b ** c |"


def test_a_heading_in_the_words_is_not_repeated() -> None:
    """A heading that the quotation has is not put before it."""
    assert excerpt("## Sessions\nThey end soon.", "Sessions", stems("session")) == "Sessions; They end soon."


def test_nothing_to_quote() -> None:
    """A blank passage gives nothing."""
    assert excerpt(" \n ", "Sessions", stems("session")) == ""


def test_chinese() -> None:
    """Sentences end without spaces."""
    text = "第一句说天气很好。" * 9 + "会议在星期三举行。" + "最后一句说再见。" * 9
    assert "会议在星期三举行。" in excerpt(text, "", stems("会议"))


@given(st.text(alphabet="ab .;:\n`{}字", max_size=400), st.text(alphabet="ab ", max_size=20))
def test_quotations_are_short_or_one_sentence(text: str, heading: str) -> None:
    """The words are at most LONGEST, or those of one sentence; every further line is indented."""
    quoted = excerpt(text, heading, frozenset("ab"))
    longest = max((count_words(line) for line in text.splitlines()), default=0)
    assert count_words(quoted) <= max(LONGEST, longest) + 2
    assert all(line.startswith("    ") for line in quoted.split("\n")[1:])
