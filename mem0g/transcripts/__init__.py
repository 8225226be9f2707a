"""Readers of transcript formats: files in, utterances out.

Every format is one module with a ``FORMAT``: its name, how its content is recognised, and the function that reads it.
A new format is a new module and one line in ``mem0g.transcripts.formats``.
"""

from mem0g.transcripts.formats import FORMATS, recognise
from mem0g.transcripts.protocol import Format, Options
from mem0g.transcripts.reading import Skipped, Transcript, read_files, read_text

__all__ = ["FORMATS", "Format", "Options", "Skipped", "Transcript", "read_files", "read_text", "recognise"]
