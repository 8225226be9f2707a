-- The layout of the embedded store, version 1. Times are ISO 8601 in UTC, so that text order is time order; an open end is NULL.
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE scope (
  n INTEGER PRIMARY KEY, user_id TEXT NOT NULL, agent_id TEXT NOT NULL, run_id TEXT NOT NULL,  -- '' for a key not given
  UNIQUE (user_id, agent_id, run_id)
);

CREATE TABLE message (
  n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, scope INTEGER NOT NULL REFERENCES scope,
  source TEXT NOT NULL, session TEXT NOT NULL, position INTEGER NOT NULL, speaker TEXT NOT NULL, role TEXT NOT NULL,
  text TEXT NOT NULL, time TEXT, source_id TEXT
);
CREATE INDEX message_place ON message (scope, source, session, position);
CREATE INDEX message_source_id ON message (scope, source_id) WHERE source_id IS NOT NULL;

CREATE TABLE entity (
  n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, scope INTEGER NOT NULL REFERENCES scope,
  name TEXT NOT NULL, type TEXT NOT NULL, aliases TEXT NOT NULL,  -- a JSON list
  created_at TEXT NOT NULL, updated_at TEXT NOT NULL, merged_into TEXT
);
CREATE INDEX entity_scope ON entity (scope);
CREATE TABLE entity_name (scope INTEGER NOT NULL, folded TEXT NOT NULL, entity INTEGER NOT NULL REFERENCES entity,
  PRIMARY KEY (scope, folded, entity)) WITHOUT ROWID;
CREATE INDEX entity_name_entity ON entity_name (entity);
CREATE TABLE entity_token (scope INTEGER NOT NULL, token TEXT NOT NULL, entity INTEGER NOT NULL REFERENCES entity,
  PRIMARY KEY (scope, token, entity)) WITHOUT ROWID;
CREATE INDEX entity_token_entity ON entity_token (entity);

CREATE TABLE fact (
  n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, scope INTEGER NOT NULL REFERENCES scope,
  subject TEXT NOT NULL, relation TEXT NOT NULL, relation_given TEXT NOT NULL, object TEXT NOT NULL,  -- entity ids
  text TEXT NOT NULL, valid_from TEXT, valid_to TEXT,  -- at their precision: 2023-05
  starts TEXT, ends TEXT,  -- the first instant of valid_from (else said_at) and of valid_to
  said_at TEXT, recorded_at TEXT NOT NULL, retired_at TEXT,
  confidence REAL NOT NULL
);
CREATE INDEX fact_subject ON fact (subject, relation);
CREATE INDEX fact_object ON fact (object, relation);
CREATE INDEX fact_scope ON fact (scope);
CREATE INDEX fact_retired ON fact (scope) WHERE retired_at IS NOT NULL;
CREATE TABLE evidence (fact INTEGER NOT NULL REFERENCES fact, message TEXT NOT NULL, place INTEGER NOT NULL,
  PRIMARY KEY (fact, message)) WITHOUT ROWID;
CREATE INDEX evidence_message ON evidence (message);

CREATE TABLE succession (
  n INTEGER PRIMARY KEY, fact_id TEXT NOT NULL, successor_id TEXT, reason TEXT NOT NULL, decided_by TEXT NOT NULL, at TEXT NOT NULL
);
CREATE UNIQUE INDEX succession_once ON succession (fact_id, ifnull(successor_id, ''));
CREATE INDEX succession_successor ON succession (successor_id) WHERE successor_id IS NOT NULL;

CREATE TABLE decision (
  n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, scope INTEGER NOT NULL REFERENCES scope,
  operation TEXT NOT NULL, rule TEXT NOT NULL, reason TEXT NOT NULL, at TEXT NOT NULL, decided_by TEXT NOT NULL,
  fact_id TEXT, targets TEXT NOT NULL, score REAL, evidence TEXT NOT NULL, triple TEXT NOT NULL  -- JSON
);
CREATE INDEX decision_scope ON decision (scope);
CREATE TABLE decision_about (id TEXT NOT NULL, decision INTEGER NOT NULL REFERENCES decision,
  PRIMARY KEY (id, decision)) WITHOUT ROWID;
CREATE INDEX decision_about_decision ON decision_about (decision);

CREATE TABLE relation_type (name TEXT PRIMARY KEY, definition TEXT NOT NULL) WITHOUT ROWID;  -- JSON

-- Embeddings: float32, little-endian, in tables of their own so that a scan for vectors reads nothing else.
CREATE TABLE message_vector (n INTEGER PRIMARY KEY REFERENCES message, vector BLOB NOT NULL);
CREATE TABLE entity_vector (n INTEGER PRIMARY KEY REFERENCES entity, vector BLOB NOT NULL);
CREATE TABLE fact_vector (n INTEGER PRIMARY KEY REFERENCES fact, vector BLOB NOT NULL);

-- Full text over stems; `keys` holds one token per scope key, so that a query finds its own scope's rows only.
CREATE VIRTUAL TABLE message_terms USING fts5 (keys, terms, tokenize = "unicode61 remove_diacritics 0");
CREATE VIRTUAL TABLE fact_terms USING fts5 (keys, terms, tokenize = "unicode61 remove_diacritics 0");
