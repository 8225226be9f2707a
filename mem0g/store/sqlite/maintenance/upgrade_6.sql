-- What version 6 of the layout adds: passages of long messages, which are searched in place of the message. The full-text entry
-- of such a message has no keys, so that no search finds it, and it has no vector.
CREATE TABLE passage (
  n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, scope INTEGER NOT NULL REFERENCES scope,
  message INTEGER NOT NULL REFERENCES message, start INTEGER NOT NULL, stop INTEGER NOT NULL, heading TEXT NOT NULL
);
CREATE INDEX passage_message ON passage (message);
CREATE INDEX passage_scope ON passage (scope);
CREATE TABLE passage_vector (n INTEGER PRIMARY KEY REFERENCES passage, vector BLOB NOT NULL);
CREATE VIRTUAL TABLE passage_terms USING fts5 (keys, terms, tokenize = "unicode61 remove_diacritics 0");
