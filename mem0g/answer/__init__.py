"""Answer a question from a memory with a language model, and cite the facts and messages that it rests on.

The public function is ``mem0g.answer.answering.ask``; importing this room alone loads no library.
"""
