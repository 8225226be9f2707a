"""Text processing without a model: names, scripts, English word lists, stems, token counts, splitting, redaction."""
