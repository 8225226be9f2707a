-- The layout of a new file, version 9. Whoever changes it adds an upgrade_N.sql that makes a file of the version before equal to
-- a new one. Times are microseconds since 1970 in UTC; an open end is NULL.
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE scope (
  n INTEGER PRIMARY KEY, user_id TEXT NOT NULL, agent_id TEXT NOT NULL, run_id TEXT NOT NULL,  -- '' for a key not given
  UNIQUE (user_id, agent_id, run_id)
);

-- `metadata` of messages and facts is the JSON object that was given with the message or with the fact itself, NULL for none. A
-- fact has that of the messages that state it too, by its evidence. Equal objects are equal texts. `recorded_at` is NULL for a
-- message that layout 2 or older wrote, which counts as recorded when it was said. `utc_offset`: by how many seconds the zone of
-- the message's time was ahead of UTC, NULL for 0 or where it is not known.
CREATE TABLE message (
  n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, scope INTEGER NOT NULL REFERENCES scope,
  source TEXT NOT NULL, session TEXT NOT NULL, position INTEGER NOT NULL, speaker TEXT NOT NULL, role TEXT NOT NULL,
  text TEXT NOT NULL, time INTEGER, source_id TEXT, recorded_at INTEGER, metadata TEXT,
  utc_offset INTEGER
);
CREATE INDEX message_place ON message (scope, source, session, position);
CREATE INDEX message_source_id ON message (scope, source_id) WHERE source_id IS NOT NULL;
CREATE INDEX message_metadata ON message (scope, metadata) WHERE metadata IS NOT NULL;

-- Passages of long messages, which are searched in place of the message: such a message has no vector, and no keys in its stems.
CREATE TABLE passage (
  n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, scope INTEGER NOT NULL REFERENCES scope,
  message INTEGER NOT NULL REFERENCES message, start INTEGER NOT NULL, stop INTEGER NOT NULL, heading TEXT NOT NULL
);
CREATE INDEX passage_message ON passage (message);
CREATE INDEX passage_scope ON passage (scope);

CREATE TABLE entity (
  n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, scope INTEGER NOT NULL REFERENCES scope,
  name TEXT NOT NULL, type TEXT NOT NULL, aliases TEXT NOT NULL,  -- a JSON list
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, merged_into TEXT
);
CREATE INDEX entity_scope ON entity (scope);
-- Names and their tokens are looked up by entity only where everything is rewritten.
CREATE TABLE entity_name (scope INTEGER NOT NULL, folded TEXT NOT NULL, entity INTEGER NOT NULL REFERENCES entity,
  PRIMARY KEY (scope, folded, entity)) WITHOUT ROWID;
CREATE TABLE entity_token (scope INTEGER NOT NULL, token TEXT NOT NULL, entity INTEGER NOT NULL REFERENCES entity,
  PRIMARY KEY (scope, token, entity)) WITHOUT ROWID;

-- `brief` is the extractor's short clause; `observed` the last day on which the fact was said to hold, and `planned_for` the day
-- or period that a plan is for, both at their precision.
CREATE TABLE fact (
  n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, scope INTEGER NOT NULL REFERENCES scope,
  subject TEXT NOT NULL, relation TEXT NOT NULL, relation_given TEXT NOT NULL, object TEXT NOT NULL,  -- entity ids
  text TEXT NOT NULL, valid_from TEXT, valid_to TEXT,  -- at their precision: 2023-05
  starts INTEGER, ends INTEGER,  -- the first instant of valid_from (else said_at) and of valid_to
  said_at INTEGER, recorded_at INTEGER NOT NULL, retired_at INTEGER,
  confidence REAL NOT NULL, brief TEXT, observed TEXT, planned_for TEXT, metadata TEXT
);
CREATE INDEX fact_subject ON fact (subject, relation);
CREATE INDEX fact_object ON fact (object, relation);
CREATE INDEX fact_scope ON fact (scope);
CREATE INDEX fact_retired ON fact (scope) WHERE retired_at IS NOT NULL;
CREATE INDEX fact_metadata ON fact (scope, metadata) WHERE metadata IS NOT NULL;
CREATE TABLE evidence (fact INTEGER NOT NULL REFERENCES fact, message TEXT NOT NULL, place INTEGER NOT NULL,
  PRIMARY KEY (fact, message)) WITHOUT ROWID;
CREATE INDEX evidence_message ON evidence (message);

CREATE TABLE succession (
  n INTEGER PRIMARY KEY, fact_id TEXT NOT NULL, successor_id TEXT, reason TEXT NOT NULL, decided_by TEXT NOT NULL,
  at INTEGER NOT NULL
);
CREATE UNIQUE INDEX succession_once ON succession (fact_id, ifnull(successor_id, ''));
CREATE INDEX succession_successor ON succession (successor_id) WHERE successor_id IS NOT NULL;

-- `before` is what a decision touched as it was before, from which it can be undone; {} for those of layout 2 and older.
CREATE TABLE decision (
  n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, scope INTEGER NOT NULL REFERENCES scope,
  operation TEXT NOT NULL, rule TEXT NOT NULL, reason TEXT NOT NULL, at INTEGER NOT NULL, decided_by TEXT NOT NULL,
  fact_id TEXT, targets TEXT NOT NULL, score REAL, evidence TEXT NOT NULL, triple TEXT NOT NULL,  -- JSON
  before TEXT NOT NULL DEFAULT '{}'
);
CREATE INDEX decision_scope ON decision (scope);
CREATE TABLE decision_about (id TEXT NOT NULL, decision INTEGER NOT NULL REFERENCES decision,
  PRIMARY KEY (id, decision)) WITHOUT ROWID;
CREATE INDEX decision_about_decision ON decision_about (decision);

-- Relation types by tenant (`tenant` is the text of a scope of one key), and the version of each tenant's types.
CREATE TABLE tenant (name TEXT PRIMARY KEY, vocabulary TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE tenant_relation (tenant TEXT NOT NULL, name TEXT NOT NULL, definition TEXT NOT NULL,  -- JSON
  PRIMARY KEY (tenant, name)) WITHOUT ROWID;

-- Embeddings, twelve bits a component (mem0g.store.sqlite.packing), in tables of their own so that a scan for vectors reads
-- nothing else.
CREATE TABLE message_vector (n INTEGER PRIMARY KEY REFERENCES message, vector BLOB NOT NULL);
CREATE TABLE passage_vector (n INTEGER PRIMARY KEY REFERENCES passage, vector BLOB NOT NULL);
CREATE TABLE entity_vector (n INTEGER PRIMARY KEY REFERENCES entity, vector BLOB NOT NULL);
CREATE TABLE fact_vector (n INTEGER PRIMARY KEY REFERENCES fact, vector BLOB NOT NULL);

-- The stems of each text, separated by spaces. `keys`: how many keys its scope has, which count as stems; 0 for a message that
-- is found by its passages.
CREATE TABLE message_stems (n INTEGER PRIMARY KEY REFERENCES message, keys INTEGER NOT NULL, stems TEXT NOT NULL);
CREATE TABLE passage_stems (n INTEGER PRIMARY KEY REFERENCES passage, keys INTEGER NOT NULL, stems TEXT NOT NULL);
CREATE TABLE fact_stems (n INTEGER PRIMARY KEY REFERENCES fact, keys INTEGER NOT NULL, stems TEXT NOT NULL);

-- A table for each type of record beside the graph. Of a record that is done, only scope and id are left.
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
