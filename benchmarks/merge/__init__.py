"""Node matching against gold: which names of a conversation, a document or a dialogue refer to the same entity."""
