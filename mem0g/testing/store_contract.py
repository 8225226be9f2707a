"""The contract of mem0g.store.protocol.Store as tests: inherit StoreContract and define its two fixtures.

Needs pytest. ``pytest.register_assert_rewrite("mem0g.testing")``, before this is imported, makes failures show the
values compared.
"""

from __future__ import annotations

from mem0g.testing.store_changes import ChangingContract
from mem0g.testing.store_filters import FilterContract
from mem0g.testing.store_forgetting import ForgettingContract
from mem0g.testing.store_instructions import InstructionContract
from mem0g.testing.store_literals import LiteralContract
from mem0g.testing.store_passages import PassageContract
from mem0g.testing.store_records import RecordContract
from mem0g.testing.store_searching import SearchContract
from mem0g.testing.store_views import ViewContract
from mem0g.testing.store_writing import WritingContract


class StoreContract(
    ChangingContract,
    FilterContract,
    ForgettingContract,
    InstructionContract,
    LiteralContract,
    PassageContract,
    RecordContract,
    SearchContract,
    ViewContract,
    WritingContract,
):
    """The contract: the tests of all its parts.

    Define the fixtures ``store``, an empty store, and ``another``, a function that returns a further empty one.
    """
