"""What a worker is given."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from mem0g import read_files
from mem0g.distributed import IngestTask, MemoryOptions, tasks_by_user
from mem0g.distributed.tasks import UserFrom
from mem0g.errors import InputError, ScopeError
from mem0g.model import Scope
from mem0g.settings import Credentials, LLMSettings, Settings
from tests.distributed.users import task_of

FILES = ("ann/may.txt", "ann/2024/june.txt", "ann/2024/july.txt", "bob/may.txt")


@pytest.fixture
def chats(tmp_path: Path) -> Path:
    """A folder with folders of two users."""
    for name in FILES:
        path = tmp_path / "chats" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"Ann: This is {name}.\n", encoding="utf-8")
    return tmp_path / "chats"


def users(path: Path, user_from: UserFrom) -> dict[str, list[str]]:
    """Return the sources by user."""
    tasks = tasks_by_user(read_files([path]).files, user_from, agent_id="helper", run_id="r")
    assert {(task.scope.agent_id, task.scope.run_id) for task in tasks} == {("helper", "r")}
    return {str(task.scope.user_id): [each.source for each in task.utterances] for task in tasks}


def test_users_by_folder(chats: Path) -> None:
    """By the path of the folder, so that what lies apart stays apart; files of one folder in order."""
    assert users(chats, "folder") == {
        "ann/2024": ["ann/2024/july.txt", "ann/2024/june.txt"],
        "ann": ["ann/may.txt"],
        "bob": ["bob/may.txt"],
    }


def test_users_by_file(chats: Path) -> None:
    """By the path of the file without its ending; a file given by itself has its name alone."""
    assert list(users(chats, "file")) == ["ann/2024/july", "ann/2024/june", "ann/may", "bob/may"]
    assert list(users(chats / "bob" / "may.txt", "file")) == ["may"]


def test_an_archive_counts_as_a_folder(chats: Path, tmp_path: Path) -> None:
    """The paths are those within the archive."""
    with ZipFile(tmp_path / "chats.zip", "w") as archive:
        for name in FILES:
            archive.write(chats / name, name)
    assert users(tmp_path / "chats.zip", "folder").keys() == users(chats, "folder").keys()


def test_files_that_name_no_user(chats: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file in no folder, standard input, and a name that cannot be a user's."""
    with pytest.raises(InputError, match=r"may\.txt is in no folder"):
        users(chats / "bob", "folder")
    monkeypatch.setattr("sys.stdin", StringIO("Ann: Hello.\n"))
    with pytest.raises(InputError, match="- is in no file"):
        users(Path("-"), "file")
    (chats / "bob" / "may.txt").rename(chats / "bob" / "\N{ZERO WIDTH SPACE}.txt")
    with pytest.raises(ScopeError, match="not usable"):
        users(chats / "bob", "file")


def test_a_task_shows_no_message() -> None:
    """What a cluster logs of a task is its scope."""
    assert repr(task_of("ann")) == f"IngestTask(scope={Scope('ann')!r})"
    assert IngestTask(scope=Scope("ann"), utterances=()) == IngestTask(scope=Scope("ann"), utterances=())


GIVEN = MemoryOptions(
    store="neo4j://eve:hidden1@host:7687/memories",
    settings=Settings(
        store="neo4j://eve:hidden1@elsewhere",
        credentials=Credentials(username="eve", password="hidden2", database="team"),
        llm=LLMSettings(api_key="hidden3", base_url="http://eve:hidden4@models/v1?key=hidden5", model="tiny"),
        window=7,
    ),
    credentials=Credentials(username="eve", password="hidden6"),
)


def test_secrets_stay_here() -> None:
    """Neither user names, passwords nor keys are in what is sent; all else is, and the extractor is settled."""
    sent = GIVEN.without_secrets()
    shown = f"{sent!r} {sent.settings.credentials!r} {sent.settings.llm.api_key} {sent.credentials.password}"
    assert "hidden" not in shown
    assert "eve" not in shown
    assert (sent.store, sent.settings.credentials.database) == ("neo4j://host:7687/memories", "team")
    assert (sent.settings.window, sent.settings.llm.model, sent.settings.llm.base_url) == (
        7,
        "tiny",
        "http://models/v1",
    )
    assert sent.extractor == "llm"
    assert replace(GIVEN, settings=Settings()).without_secrets().extractor == "rules"


def test_secrets_come_from_the_workers_environment(tmp_path: Path) -> None:
    """User, password and key, and where the weights are; the database stays the one that was asked for."""
    environment = Settings.from_environment(
        {
            "NEO4J_USERNAME": "worker",
            "NEO4J_PASSWORD": "theirs",
            "NEO4J_DATABASE": "other",
            "OPENAI_API_KEY": "k",
            "OPENAI_BASE_URL": "http://other",
            "MEM0G_WEIGHTS": str(tmp_path),
        }
    )
    used = GIVEN.without_secrets().with_secrets(environment).settings
    assert used.credentials == Credentials(username="worker", password="theirs", database="team")
    assert (used.llm.api_key, used.llm.base_url, used.weights) == ("k", "http://models/v1", tmp_path)
