-- What version 2 of the layout adds: mem0g's own notes.
CREATE TABLE note (
  n INTEGER PRIMARY KEY, scope INTEGER NOT NULL REFERENCES scope, kind TEXT NOT NULL, key TEXT NOT NULL,
  body TEXT,  -- JSON; NULL for one that was struck out
  UNIQUE (scope, kind, key)
);
CREATE INDEX note_key ON note (key);
