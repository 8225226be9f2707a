"""A small LOCOMO of two conversations, with the typos in evidence ids that the official file has."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TURNS = {
    "mini-1": [
        [
            "Nora: Hi Sam! I moved to Bergen yesterday.",
            "Sam: Lovely! I still live in Leeds with my cat Pixel.",
            "Nora: I started pottery classes too. [photo: a lopsided clay mug]",
        ],
        [
            "Sam: I lost my job at the bakery last week.",
            "Nora: Oh no. My sister Ida could help, she runs a café.",
            "Sam: Thanks! Pixel sends greetings.",
        ],
    ],
    "mini-2": [
        ["Uma: I adopted a tortoise named Bolt.", "Raj: Ha! I bought a telescope to look at Saturn."],
    ],
}
DATES = ["1:56 pm on 8 May, 2023", "10:02 am on 3 June, 2023"]

QUESTIONS: dict[str, list[tuple[str, int, list[str]]]] = {
    "mini-1": [
        ("Where did Nora move?", 4, ["D1:1"]),
        ("What pet does Sam have, and who sends greetings?", 1, ["D1:2; D2:3"]),
        ("When did Sam lose his job?", 2, ["D:2:01"]),
        ("Would Nora enjoy a clay museum?", 3, ["D1:2"]),  # the audit says D1:3
        ("Is Nora fond of dogs?", 3, []),
        ("What did Nora say on Mars?", 4, ["D9:99", "D"]),
        ("What is the name of Nora's boat?", 5, ["D1:1"]),
    ],
    "mini-2": [("What did Uma adopt?", 4, ["D1:1"]), ("What did Raj buy?", 4, ["D1:2"])],
}
ASKED = 6
"""Questions that are left: not the adversarial one, not the two whose evidence names no turn."""

AUDIT = [
    {"sample_id": "mini-1", "qa_index": 3, "correct_evidence": ["D1:3"]},
    {"sample_id": "mini-1", "qa_index": 0, "correct_evidence": []},
    {"sample_id": "elsewhere", "qa_index": 0, "correct_evidence": ["D1:1"]},
]

TRIPLES: dict[str, list[dict[str, Any]]] = {
    "mini-1": [
        {
            "subject": "Nora",
            "subject_type": "person",
            "relation": "moved_to",
            "object": "Bergen",
            "object_type": "city",
            "fact": "Nora moved to Bergen on 7 May 2023.",
            "valid_from": "2023-05-07",
            "evidence": ["D1:1"],
        },
        {
            "subject": "Sam",
            "subject_type": "person",
            "relation": "has_pet",
            "object": "Pixel",
            "object_type": "cat",
            "fact": "Sam has a cat named Pixel.",
            "evidence": ["D1:2", "D2:3"],
        },
        {
            "subject": "Sam",
            "subject_type": "person",
            "relation": "lost_job_at",
            "object": "bakery",
            "object_type": "company",
            "fact": "Sam lost his job at the bakery in late May 2023.",
            "valid_from": "2023-05",
            "evidence": ["D2:1"],
        },
        {
            "subject": "Nora",
            "subject_type": "person",
            "relation": "takes",
            "object": "pottery classes",
            "object_type": "activity",
            "fact": "Nora takes pottery classes and made a clay mug.",
            "evidence": ["D1:3"],
        },
    ],
    "mini-2": [
        {
            "subject": "Uma",
            "relation": "adopted",
            "object": "Bolt",
            "fact": "Uma adopted a tortoise named Bolt.",
            "evidence": ["D1:1"],
        },
        {
            "subject": "Raj",
            "relation": "bought",
            "object": "telescope",
            "fact": "Raj bought a telescope to look at Saturn.",
            "evidence": ["D1:2"],
        },
    ],
}


@dataclass(frozen=True)
class Mini:
    """The files of the small LOCOMO."""

    data: Path
    audit: Path
    triples: Path


def sample(name: str) -> dict[str, Any]:
    """A conversation in the official schema."""
    conversation: dict[str, Any] = {"speaker_a": "A", "speaker_b": "B"}
    for number, session in enumerate(TURNS[name], start=1):
        conversation[f"session_{number}_date_time"] = DATES[number - 1]
        conversation[f"session_{number}"] = [
            turn(f"D{number}:{place}", said) for place, said in enumerate(session, start=1)
        ]
    asked = [
        {"question": text, "answer": "…", "category": category, "evidence": evidence}
        for text, category, evidence in QUESTIONS[name]
    ]
    return {"sample_id": name, "conversation": conversation, "qa": asked}


def turn(dia_id: str, said: str) -> dict[str, str]:
    """A turn in the official schema, the photo's caption in its own field."""
    speaker, words = said.split(": ", 1)
    words, _, caption = words.partition(" [photo: ")
    photo = {"blip_caption": caption.removesuffix("]")} if caption else {}
    return {"speaker": speaker, "dia_id": dia_id, "text": words, **photo}


def write_mini(folder: Path) -> Mini:
    """Write the files to ``folder``."""
    made = Mini(folder / "mini.json", folder / "audit.json", folder / "triples")
    made.data.write_text(json.dumps([sample(name) for name in TURNS]), encoding="utf-8")
    made.audit.write_text(json.dumps(AUDIT), encoding="utf-8")
    made.triples.mkdir()
    for name, triples in TRIPLES.items():
        lines = "\n".join(json.dumps(triple) for triple in triples)
        (made.triples / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    return made
