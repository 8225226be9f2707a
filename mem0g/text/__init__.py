"""Text without a model: names and scripts, stems, token counts, English word lists, secrets taken out."""
