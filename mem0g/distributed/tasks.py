"""What a worker is given: the messages of one scope, and how to open the memory."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from mem0g.errors import InputError
from mem0g.ingest.report import Report
from mem0g.model import Scope, Utterance
from mem0g.settings import Credentials, Settings
from mem0g.text.redaction import shown_address
from mem0g.transcripts import TranscriptFile
from mem0g.transcripts.finding import STDIN

if TYPE_CHECKING:
    from mem0g.memory import Memory

Stopping = Callable[[], bool]
"""Whether to stop after the current windows, as after Ctrl-C."""

Numbered = tuple[int, Report]
"""The number of a task, from 0, and the report of a part of it."""


UserFrom = Literal["folder", "file"]
"""What names the user of a file: the folder that it is in, or the file itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestTask:
    """The messages to add to one scope, in order; ``metadata`` as in ``Memory.ingest``.

    Running a task again changes nothing: messages that are stored are known. Its representation, which a cluster may
    log, shows no message.
    """

    scope: Scope
    utterances: tuple[Utterance, ...] = field(repr=False)
    metadata: Mapping[str, Any] | None = field(default=None, repr=False)

    def reports(self, memory: Memory, *, changes: bool = True) -> Generator[Report]:
        """Ingest the messages; yield the report of each window, without ``changes`` only its counts."""
        for report in memory.ingest(self.utterances, metadata=self.metadata, **self.scope.keys):
            yield report if changes else replace(report, changes=())


def tasks_by_user(
    files: Iterable[TranscriptFile],
    user_from: UserFrom,
    *,
    agent_id: str | None = None,
    run_id: str | None = None,
    metadata: Mapping[str, Any] | None = None,
) -> list[IngestTask]:
    """Return a task for each user that files or their folders name, in the order of the files.

    The user of chats/ann/2024/may.txt is "ann/2024" by its folder and "ann/2024/may" by the file, if the folder chats
    was given: the whole path, so that folders of one name in different places are different users.

    Raises InputError for a file that has no such name, and ScopeError for one that cannot be a user's id.
    """
    found: dict[Scope, list[Utterance]] = {}
    for file in files:
        scope = Scope(_user_of(file, user_from), agent_id, run_id)
        found.setdefault(scope, []).extend(file.utterances)
    return [IngestTask(scope=each, utterances=tuple(said), metadata=metadata) for each, said in found.items()]


def _user_of(file: TranscriptFile, user_from: UserFrom) -> str:
    if user_from == "file" and file.path.name != STDIN:
        return str(file.path.with_suffix(""))
    if user_from == "folder" and file.path.parent.name:
        return str(file.path.parent)
    hint = "give a folder that holds a folder for each user" if user_from == "folder" else "give files, not -"
    raise InputError(f"{file.path} is in no {user_from} that names its user", hint=hint)


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryOptions:
    """The arguments of ``Memory.open`` with which each worker opens the memory."""

    store: str | None = None
    settings: Settings = field(default_factory=Settings.from_environment)
    credentials: Credentials = field(default_factory=Credentials)
    embedder: str | None = None
    extractor: str | None = None

    def open(self) -> Memory:
        """Open the memory. Raises what ``Memory.open`` raises."""
        from mem0g.memory import Memory

        return Memory.open(
            self.store,
            settings=self.settings,
            credentials=self.credentials,
            embedder=self.embedder,
            extractor=self.extractor,
        )

    def without_secrets(self) -> MemoryOptions:
        """Return the options without user names, passwords and keys, which ``with_secrets`` adds on another machine.

        The extractor is settled, as it may depend on whether there is a key.
        """
        from mem0g.pipeline import chosen_extractor

        llm, store = self.settings.llm, self.store or self.settings.store
        database = self.credentials.database or self.settings.credentials.database
        public = replace(llm, api_key=None, base_url=llm.base_url and shown_address(llm.base_url))
        settings = replace(self.settings, store=None, credentials=Credentials(database=database), llm=public)
        extractor = chosen_extractor(self.extractor, llm)
        return replace(
            self,
            store=store and shown_address(store),
            settings=settings,
            credentials=Credentials(),
            extractor=extractor if isinstance(extractor, str) else None,
        )

    def with_secrets(self, environment: Settings) -> MemoryOptions:
        """Return the options with the secrets, the weights and the thresholds of this machine's ``environment``."""
        theirs = environment.credentials
        settings = replace(
            self.settings,
            credentials=replace(theirs, database=self.settings.credentials.database or theirs.database),
            llm=replace(self.settings.llm, api_key=environment.llm.api_key),
            weights=environment.weights or self.settings.weights,
            thresholds=environment.thresholds or self.settings.thresholds,
        )
        return replace(self, settings=settings)
