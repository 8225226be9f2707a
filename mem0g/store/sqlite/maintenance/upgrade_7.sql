-- What version 7 of the layout adds: metadata, the JSON object that was given with a message or with a fact itself (NULL for
-- none). A fact has that of the messages that state it too, by its evidence. Equal objects are equal texts.
ALTER TABLE message ADD COLUMN metadata TEXT;
ALTER TABLE fact ADD COLUMN metadata TEXT;
CREATE INDEX message_metadata ON message (scope, metadata) WHERE metadata IS NOT NULL;
CREATE INDEX fact_metadata ON fact (scope, metadata) WHERE metadata IS NOT NULL;
