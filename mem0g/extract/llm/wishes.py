"""What the owner of a memory asks of its extraction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mem0g.settings import LLMSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """``instructions`` are added to the rules; ``entity_types`` and ``relation_types`` are names to take.

    The lists are open (take one where it fits) unless ``closed``: then a reply with another is bad.
    """

    instructions: str = ""
    entity_types: tuple[str, ...] = ()
    relation_types: tuple[str, ...] = ()
    closed: bool = False

    @classmethod
    def of(cls, settings: LLMSettings) -> Wishes:
        """Those of the settings."""
        return cls(
            instructions=settings.instructions,
            entity_types=settings.entity_types,
            relation_types=settings.relation_types,
            closed=settings.closed_types,
        )

    @property
    def words(self) -> dict[str, str]:
        """What the names in a prompt stand for."""
        return {
            "instructions": self.instructions.strip(),
            "entity_types": self._listed(self.entity_types),
            "relation_types": self._listed(self.relation_types),
        }

    def _listed(self, names: Sequence[str]) -> str:
        if not names:
            return ""
        rule = "Use only these; leave out what fits none" if self.closed else "Use these where they fit"
        return f"{rule}: {', '.join(names)}."
