"""The requests as sent, compared exactly, and with the prompts of a memory's owner."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mem0g.errors import InputError, UnreachableModelError
from tests.llm.server import Server, refused
from tests.pipeline.rendered import FOLDER, requests
from tests.pipeline.scripted import Model, Prompt, entities, facts
from tests.pipeline.telling import ANN, Place, current, likes, opened, sentence, states, talk, texts

AGAIN = "run `python -m tests.pipeline.rendered` and look at what git says has changed"


def test_requests_are_as_they_were() -> None:
    """Each request of a conversation equals its file, and there are no files of requests that are no longer made."""
    made = requests()
    kept = {path.stem: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.txt")}
    assert sorted(made) == sorted(kept), AGAIN
    for name, text in made.items():
        assert text == kept[name], f"{name}: {AGAIN}"


def test_a_folder_of_ones_own(file: Place, tmp_path: Path, server: Server, model: Model) -> None:
    """A file of the same name replaces a prompt, or a part that a prompt includes; the others are unchanged."""
    (tmp_path / "decide.md").write_text("# system\nBe kind.\n\n# user\n$known\n\nThen:\n$new\n")
    (tmp_path / "claims.md").write_text("Write down $everything.\n")
    with opened(file, server, window=1, prompts=tmp_path) as memory:
        list(memory.ingest(talk(("2024-01-01", "Ann", "Ann lives in Oslo. Ann lives in Rome.")), **ANN))
        list(memory.ingest(talk(("2024-01-02", "Ann", "Ann lives in Rome.")), **ANN))
    assert {each.system for each in model.prompts("decide")} <= {"Be kind."}
    for each in model.prompts("extract"):
        assert "Write down $everything." in each.system
        assert "An entity is what a fact is about" in each.system


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("# system\nRead.\n\n# user\n$mesages\n", r"asks for \$mesages; it may ask for .*\$messages"),
        ("Read $messages.", "has no '# system' or no '# user' section"),
        (b"# system\n\xff\n\n# user\n$messages\n", "cannot read the prompt"),
    ],
    ids=["unknown name", "no sections", "not UTF-8"],
)
def test_a_prompt_that_cannot_be_asked(
    file: Place, tmp_path: Path, server: Server, model: Model, text: str | bytes, problem: str
) -> None:
    """The error names the file, before the model is asked; the message is kept and its window pending."""
    (tmp_path / "extract.md").write_bytes(text.encode() if isinstance(text, str) else text)
    with opened(file, server, prompts=tmp_path) as memory:
        with pytest.raises(InputError, match=problem) as caught:
            memory.add("Ann likes tea.", **ANN)
        assert str(tmp_path / "extract.md") in str(caught.value)
        assert texts(memory) == ["Ann likes tea."]
        assert states(memory) == ["failed"]
    assert model.count() == 0


def test_no_such_folder(file: Place, tmp_path: Path, server: Server) -> None:
    """A missing folder is an error; the built-in prompts are not used instead."""
    with opened(file, server, prompts=tmp_path / "promts") as memory, pytest.raises(InputError, match="promts"):
        memory.add("Ann likes tea.", **ANN)


def test_wishes(file: Place, server: Server, model: Model) -> None:
    """Instructions and type names are in the prompt; without them their headings are left out."""
    with opened(file, server) as memory:
        memory.add("Ann likes tea.", **ANN)
    with opened(file, server, instructions="Prices matter.", entity_types=("person", "drink")) as memory:
        memory.add("Ann likes milk.", **ANN)
    plain, wished = (each.system for each in model.prompts("extract"))
    assert "Prices matter." in wished
    assert "person, drink" in wished
    assert "Prices matter." not in plain
    assert len(wished.split("\n## ")) - len(plain.split("\n## ")) == 2


def test_closed_lists(file: Place, server: Server, model: Model) -> None:
    """With closed lists a reply with another type or relation is invalid; with open ones it is valid."""

    def told(prompt: Prompt) -> object:
        if prompt.attempt == 2:
            return {"entities": [], "facts": []}
        return {"entities": entities(prompt), "facts": facts(prompt)}

    model.says(told, "extract")
    wishes: dict[str, Any] = {"entity_types": ("person", "thing"), "relation_types": ("likes", "lives in")}
    said = [("2024-01-01", "Ann", words) for words in ("Ann likes tea.", "Ann knows Ben.", "Ann lives in Oslo.")]
    with opened(file, server, window=1, concurrency=1, closed_types=True, **wishes) as memory:
        list(memory.ingest(talk(*said), **ANN))
        assert current(memory) == ["Ann likes tea."]
    problems = [asked.texts[-1][1] for asked in server.requests if len(asked.texts) > 2]
    assert "the relation 'knows' is not one of those to use" in problems[0]
    assert "'Oslo' has the type 'city'" in problems[1]
    with opened(file, server, window=1, concurrency=1, **wishes) as memory:
        list(memory.ingest(talk(*said), user_id="other"))
        assert len(current(memory, user_id="other")) == 3


def test_the_summary_is_no_part_of_the_key(file: Place, server: Server, model: Model) -> None:
    """Optional input, such as a summary, does not change the key of a request: the kept reply is used."""
    model.says(refused(500, "no"), "decide")
    with opened(file, server) as memory:
        list(memory.ingest(likes(20), **ANN))
        memory.add(talk(("2024-03-01", "Ann", "Ann lives in Oslo."), source="home"), **ANN)
        with pytest.raises(UnreachableModelError):
            memory.add(talk(("2024-03-02", "Ann", "Ann lives in Rome."), source="home"), **ANN)
        asked = model.count("extract")
    model.is_well()
    with opened(file, server) as memory:
        assert states(memory) == ["failed"]
        list(memory.retry(all_scopes=True))
        assert current(memory)[-1] == "Ann lives in Rome."
        assert sentence(0) in current(memory)
    assert model.count("extract") == asked
