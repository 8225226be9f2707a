"""Passages of long messages in the SQLite store: writing, cutting anew, and deleting them with their messages.

A message that has passages has no vector, and its stems have no keys: a search finds the passages instead.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence

from mem0g.model import Message, Passage
from mem0g.store.sqlite.reading import Reader, listed
from mem0g.store.sqlite.rows import Row, message_of
from mem0g.text.stemming import tokens

OF_MESSAGES = "SELECT n FROM passage WHERE message IN (SELECT value FROM json_each(?))"
"""The rows of the passages of messages, given as a list of row numbers."""


def passage_of(row: Row) -> Passage:
    """Return the passage of a row of ``passage`` with the id of its message as ``message_id``."""
    return Passage(row["id"], row["message_id"], row["start"], row["stop"], row["heading"])


def stems_of(message: Message, passage: Passage) -> str:
    """Return the stems of a passage, separated by spaces."""
    return " ".join(tokens(f"{message.speaker} {passage.searched_text(message.text)}"))


def add(
    connection: sqlite3.Connection,
    scope: int,
    keys: int,
    number: int,
    message: Message,
    passages: Sequence[Passage],
) -> dict[str, int]:
    """Insert the passages of the message in row ``number``, without vectors; return their row numbers by id."""
    added: dict[str, int] = {}
    for each in passages:
        row = connection.execute(
            "INSERT INTO passage (id, scope, message, start, stop, heading) VALUES (?, ?, ?, ?, ?, ?) RETURNING n",
            (each.id, scope, number, each.start, each.end, each.heading),
        ).fetchone()
        added[each.id] = row["n"]
        sql = "INSERT INTO passage_stems (n, keys, stems) VALUES (?, ?, ?)"
        connection.execute(sql, (row["n"], keys, stems_of(message, each)))
    return added


def delete(connection: sqlite3.Connection, messages: Iterable[int]) -> None:
    """Delete the passages of messages, given by row number, with their vectors and stems."""
    numbers = listed(messages)
    connection.execute(f"DELETE FROM passage_vector WHERE n IN ({OF_MESSAGES})", (numbers,))  # noqa: S608
    connection.execute(f"DELETE FROM passage_stems WHERE n IN ({OF_MESSAGES})", (numbers,))  # noqa: S608
    connection.execute("DELETE FROM passage WHERE message IN (SELECT value FROM json_each(?))", (numbers,))


def cut_anew(reader: Reader) -> None:
    """Cut all messages as this version does: those that an older one stored as a whole, or cut elsewhere."""
    connection = reader.connection
    for scope, of in reader.scopes(None).items():
        keys = len(of.keys)
        for number, message in _long(reader, scope):
            wanted, held = message.passages(), [each for _, each in held_by(reader, [number])]
            if list(wanted) == held:
                continue
            delete(connection, [number])
            add(connection, scope, keys, number, message, wanted)
            connection.execute("UPDATE message_stems SET keys = ? WHERE n = ?", (0 if wanted else keys, number))


def _long(reader: Reader, scope: int) -> Iterator[tuple[int, Message]]:
    """Yield the messages of a scope that are, or might be, in passages, one at a time, with their row numbers."""
    sql = "SELECT n FROM message WHERE scope = ? AND (length(text) > 200 OR n IN (SELECT message FROM passage))"
    for row in reader.all(sql, (scope,)):
        yield row["n"], message_of(reader.all("SELECT * FROM message WHERE n = ?", (row["n"],))[0])


def held_by(reader: Reader, messages: Iterable[int]) -> list[tuple[int, Passage]]:
    """Return the passages of messages, given by row number, with their row numbers, in order."""
    sql = """
      SELECT passage.*, message.id AS message_id FROM passage JOIN message ON message.n = passage.message
      WHERE passage.message IN (SELECT value FROM json_each(?)) ORDER BY passage.message, start
    """
    return [(row["n"], passage_of(row)) for row in reader.all(sql, (listed(messages),))]


def by_row(reader: Reader, numbers: Iterable[int]) -> dict[int, tuple[int, Passage]]:
    """Return passages with the row numbers of their messages, by the row number of the passage."""
    sql = """
      SELECT passage.*, message.id AS message_id FROM passage JOIN message ON message.n = passage.message
      WHERE passage.n IN (SELECT value FROM json_each(?))
    """
    return {row["n"]: (row["message"], passage_of(row)) for row in reader.all(sql, (listed(numbers),))}


def to_embed(reader: Reader) -> list[tuple[int, str]]:
    """Return the text of each passage that is embedded, by row number."""
    texts = []
    for row in reader.all("SELECT DISTINCT message FROM passage ORDER BY message"):
        message = reader.messages_by_row([row["message"]])[row["message"]]
        held = held_by(reader, [row["message"]])
        texts += [(number, each.embedded_text(message.speaker, message.text)) for number, each in held]
    return texts
