"""From messages to facts: ``pipeline`` is the chain of stages, the other modules are its steps."""
