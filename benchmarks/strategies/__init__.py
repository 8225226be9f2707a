"""Strategies of memory compared on LOCOMO: what each shows of a conversation, and what it costs."""
