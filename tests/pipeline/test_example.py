"""The example transcript with its recorded replies, as used by `make demo-llm`."""

from __future__ import annotations

from pathlib import Path

import pytest

from mem0g.memory import Memory
from mem0g.settings import LLMSettings, Settings
from mem0g.transcripts import read_files
from tests.pipeline.telling import Place, current, summed

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.slow
@pytest.mark.usefixtures("minilm")
def test_the_replies_fit_the_prompts(place: Place, nowhere: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file has a reply to every request about the example, so that no server is needed.

    A change of a prompt, a window or the facts shown to the resolver needs new replies from a model.
    """
    monkeypatch.chdir(EXAMPLES)
    llm = LLMSettings(model="example", base_url=nowhere, retries=0, cache=Path("olivia-and-ben.replies.jsonl"))
    said = read_files([Path("olivia-and-ben.txt")]).utterances
    with Memory.open(
        place.address, extractor="llm", settings=Settings(llm=llm), credentials=place.credentials
    ) as memory:
        report = summed(list(memory.ingest(said, user_id="demo")))
        assert memory.pending(all_scopes=True) == ()
        assert any("Tinta Games" in text for text in current(memory, user_id="demo"))
        assert not any("planned to move to Lisbon" in text for text in current(memory, user_id="demo"))
    assert (report.messages, report.quarantined) == (88, 0)
    assert report.retired > 10
    with Memory.open(place.address, credentials=place.credentials) as memory:
        calls = {cost.purpose: (cost.calls, cost.cached) for cost in memory.costs(all_scopes=True)}
    assert calls == {"extract": (6, 6), "decide": (3, 3), "summary": (1, 1)}
