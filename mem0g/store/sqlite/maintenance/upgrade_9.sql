-- What version 9 of the layout adds: by how many seconds the zone of a message's time was ahead of UTC, so that "yesterday" is
-- counted from the speaker's day whenever the message is extracted; NULL for 0 and for messages of older versions.
ALTER TABLE message ADD COLUMN utc_offset INTEGER;
