-- What version 8 of the layout changes: searches rank words in memory, so that stems are in plain tables and no full-text index
-- is kept; and vectors take twelve bits a component (mem0g.store.sqlite.packing), not thirty-two.

-- The stems of each text, separated by spaces. `keys`: how many keys its scope has, which count as stems; 0 for a message that
-- is found by its passages.
CREATE TABLE message_stems (n INTEGER PRIMARY KEY REFERENCES message, keys INTEGER NOT NULL, stems TEXT NOT NULL);
CREATE TABLE passage_stems (n INTEGER PRIMARY KEY REFERENCES passage, keys INTEGER NOT NULL, stems TEXT NOT NULL);
CREATE TABLE fact_stems (n INTEGER PRIMARY KEY REFERENCES fact, keys INTEGER NOT NULL, stems TEXT NOT NULL);
INSERT INTO message_stems
  SELECT id, CASE c0 WHEN '' THEN 0 ELSE 1 + length(c0) - length(replace(c0, ' ', '')) END, c1 FROM message_terms_content;
INSERT INTO passage_stems
  SELECT id, CASE c0 WHEN '' THEN 0 ELSE 1 + length(c0) - length(replace(c0, ' ', '')) END, c1 FROM passage_terms_content;
INSERT INTO fact_stems
  SELECT id, CASE c0 WHEN '' THEN 0 ELSE 1 + length(c0) - length(replace(c0, ' ', '')) END, c1 FROM fact_terms_content;
DROP TABLE message_terms;
DROP TABLE passage_terms;
DROP TABLE fact_terms;

-- Names of an entity are looked up by its row only where everything is rewritten.
DROP INDEX entity_name_entity;
DROP INDEX entity_token_entity;

-- Times are microseconds since 1970 in UTC, and take eight bytes, not thirty-two. The tables that have many are made anew.
CREATE TABLE message_8 (
  n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, scope INTEGER NOT NULL REFERENCES scope,
  source TEXT NOT NULL, session TEXT NOT NULL, position INTEGER NOT NULL, speaker TEXT NOT NULL, role TEXT NOT NULL,
  text TEXT NOT NULL, time INTEGER, source_id TEXT, recorded_at INTEGER, metadata TEXT
);
INSERT INTO message_8
  SELECT n, id, scope, source, session, position, speaker, role, text,
    strftime('%s', substr(time, 1, 19)) * 1000000 + substr(time, 21, 6), source_id,
    strftime('%s', substr(recorded_at, 1, 19)) * 1000000 + substr(recorded_at, 21, 6), metadata
  FROM message;
DROP TABLE message;
ALTER TABLE message_8 RENAME TO message;
CREATE INDEX message_place ON message (scope, source, session, position);
CREATE INDEX message_source_id ON message (scope, source_id) WHERE source_id IS NOT NULL;
CREATE INDEX message_metadata ON message (scope, metadata) WHERE metadata IS NOT NULL;

CREATE TABLE entity_8 (
  n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, scope INTEGER NOT NULL REFERENCES scope,
  name TEXT NOT NULL, type TEXT NOT NULL, aliases TEXT NOT NULL,  -- a JSON list
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, merged_into TEXT
);
INSERT INTO entity_8
  SELECT n, id, scope, name, type, aliases,
    strftime('%s', substr(created_at, 1, 19)) * 1000000 + substr(created_at, 21, 6),
    strftime('%s', substr(updated_at, 1, 19)) * 1000000 + substr(updated_at, 21, 6), merged_into
  FROM entity;
DROP TABLE entity;
ALTER TABLE entity_8 RENAME TO entity;
CREATE INDEX entity_scope ON entity (scope);

CREATE TABLE fact_8 (
  n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, scope INTEGER NOT NULL REFERENCES scope,
  subject TEXT NOT NULL, relation TEXT NOT NULL, relation_given TEXT NOT NULL, object TEXT NOT NULL,  -- entity ids
  text TEXT NOT NULL, valid_from TEXT, valid_to TEXT,  -- at their precision: 2023-05
  starts INTEGER, ends INTEGER,  -- the first instant of valid_from (else said_at) and of valid_to
  said_at INTEGER, recorded_at INTEGER NOT NULL, retired_at INTEGER,
  confidence REAL NOT NULL, brief TEXT, observed TEXT, planned_for TEXT, metadata TEXT
);
INSERT INTO fact_8
  SELECT n, id, scope, subject, relation, relation_given, object, text, valid_from, valid_to,
    strftime('%s', substr(starts, 1, 19)) * 1000000 + substr(starts, 21, 6),
    strftime('%s', substr(ends, 1, 19)) * 1000000 + substr(ends, 21, 6),
    strftime('%s', substr(said_at, 1, 19)) * 1000000 + substr(said_at, 21, 6),
    strftime('%s', substr(recorded_at, 1, 19)) * 1000000 + substr(recorded_at, 21, 6),
    strftime('%s', substr(retired_at, 1, 19)) * 1000000 + substr(retired_at, 21, 6),
    confidence, brief, observed, planned_for, metadata
  FROM fact;
DROP TABLE fact;
ALTER TABLE fact_8 RENAME TO fact;
CREATE INDEX fact_subject ON fact (subject, relation);
CREATE INDEX fact_object ON fact (object, relation);
CREATE INDEX fact_scope ON fact (scope);
CREATE INDEX fact_retired ON fact (scope) WHERE retired_at IS NOT NULL;
CREATE INDEX fact_metadata ON fact (scope, metadata) WHERE metadata IS NOT NULL;

CREATE TABLE succession_8 (
  n INTEGER PRIMARY KEY, fact_id TEXT NOT NULL, successor_id TEXT, reason TEXT NOT NULL, decided_by TEXT NOT NULL,
  at INTEGER NOT NULL
);
INSERT INTO succession_8
  SELECT n, fact_id, successor_id, reason, decided_by, strftime('%s', substr(at, 1, 19)) * 1000000 + substr(at, 21, 6)
  FROM succession;
DROP TABLE succession;
ALTER TABLE succession_8 RENAME TO succession;
CREATE UNIQUE INDEX succession_once ON succession (fact_id, ifnull(successor_id, ''));
CREATE INDEX succession_successor ON succession (successor_id) WHERE successor_id IS NOT NULL;

CREATE TABLE decision_8 (
  n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, scope INTEGER NOT NULL REFERENCES scope,
  operation TEXT NOT NULL, rule TEXT NOT NULL, reason TEXT NOT NULL, at INTEGER NOT NULL, decided_by TEXT NOT NULL,
  fact_id TEXT, targets TEXT NOT NULL, score REAL, evidence TEXT NOT NULL, triple TEXT NOT NULL,  -- JSON
  before TEXT NOT NULL DEFAULT '{}'
);
INSERT INTO decision_8
  SELECT n, id, scope, operation, rule, reason, strftime('%s', substr(at, 1, 19)) * 1000000 + substr(at, 21, 6), decided_by,
    fact_id, targets, score, evidence, triple, before
  FROM decision;
DROP TABLE decision;
ALTER TABLE decision_8 RENAME TO decision;
CREATE INDEX decision_scope ON decision (scope);
