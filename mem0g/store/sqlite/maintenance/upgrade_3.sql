-- What version 3 of the layout adds.

-- Relation types by tenant (`tenant` is the text of a scope of one key), and the version of each tenant's types.
CREATE TABLE tenant (name TEXT PRIMARY KEY, vocabulary TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE tenant_relation (tenant TEXT NOT NULL, name TEXT NOT NULL, definition TEXT NOT NULL,  -- JSON
  PRIMARY KEY (tenant, name)) WITHOUT ROWID;

-- When a message was committed; NULL for one that an older version wrote, which counts as recorded when it was said.
ALTER TABLE message ADD COLUMN recorded_at TEXT;

-- What a decision touched as it was before (JSON), from which it can be undone; {} for those of older versions.
ALTER TABLE decision ADD COLUMN before TEXT NOT NULL DEFAULT '{}';
