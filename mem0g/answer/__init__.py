"""Answer a question from a memory with a language model, or check whether a context tells what is asked.

An answer cites the facts and messages that it rests on. The functions are ``mem0g.answer.answering.answer`` and
``mem0g.answer.checking.checked``; importing this room alone loads no library.
"""
