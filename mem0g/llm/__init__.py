"""Requests to language models: prompts, validated replies, token counts and cost."""
