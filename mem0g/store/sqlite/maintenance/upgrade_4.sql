-- What version 4 of the layout adds: a table for each type of record beside the graph, in place of `note`. Of a record that
-- is done, only scope and id are left.
CREATE TABLE pending_window (
  n INTEGER PRIMARY KEY, scope INTEGER NOT NULL REFERENCES scope, id TEXT NOT NULL, done INTEGER NOT NULL DEFAULT 0,
  messages TEXT, context TEXT, speakers TEXT,  -- JSON lists
  since TEXT, state TEXT, problem TEXT, reply TEXT, embedded INTEGER,
  UNIQUE (scope, id)
);
CREATE INDEX pending_window_id ON pending_window (id);

CREATE TABLE model_call (
  n INTEGER PRIMARY KEY, scope INTEGER NOT NULL REFERENCES scope, id TEXT NOT NULL, done INTEGER NOT NULL DEFAULT 0,
  purpose TEXT, model TEXT, window TEXT, key TEXT, attempt INTEGER, prompt_tokens INTEGER, completion_tokens INTEGER,
  seconds REAL, at TEXT, cached INTEGER, problem TEXT,
  UNIQUE (scope, id)
);

CREATE TABLE model_reply (
  n INTEGER PRIMARY KEY, scope INTEGER NOT NULL REFERENCES scope, id TEXT NOT NULL, done INTEGER NOT NULL DEFAULT 0,
  text TEXT,
  UNIQUE (scope, id)
);
CREATE INDEX model_reply_id ON model_reply (id);

CREATE TABLE summary (
  n INTEGER PRIMARY KEY, scope INTEGER NOT NULL REFERENCES scope, id TEXT NOT NULL, done INTEGER NOT NULL DEFAULT 0,
  source TEXT, text TEXT, waiting TEXT,  -- a JSON list
  problem TEXT,
  UNIQUE (scope, id)
);

CREATE TABLE review (
  n INTEGER PRIMARY KEY, scope INTEGER NOT NULL REFERENCES scope, id TEXT NOT NULL, done INTEGER NOT NULL DEFAULT 0,
  window TEXT, at TEXT, model TEXT, retirements TEXT,  -- a JSON list of objects
  UNIQUE (scope, id)
);

CREATE TABLE receipt (
  n INTEGER PRIMARY KEY, scope INTEGER NOT NULL REFERENCES scope, id TEXT NOT NULL, done INTEGER NOT NULL DEFAULT 0,
  at TEXT, messages INTEGER, entities INTEGER, facts INTEGER, retired INTEGER, decisions INTEGER, notes INTEGER,
  replies INTEGER, complete INTEGER,
  UNIQUE (scope, id)
);
