"""Read transcripts in several formats as utterances.

Each format is a TranscriptFormat in ``mem0g.transcripts.formats``. To add one, list it in ``registry``; other packages
add theirs as entry points of the group ``mem0g.formats`` (see docs/extending.md).
"""

from mem0g.transcripts.finding import Skipped
from mem0g.transcripts.protocol import ReadOptions, TranscriptFormat
from mem0g.transcripts.reading import Transcript, TranscriptFile, read_files, read_text
from mem0g.transcripts.registry import FORMATS, format_names, recognise

__all__ = [
    "FORMATS",
    "ReadOptions",
    "Skipped",
    "Transcript",
    "TranscriptFile",
    "TranscriptFormat",
    "format_names",
    "read_files",
    "read_text",
    "recognise",
]
