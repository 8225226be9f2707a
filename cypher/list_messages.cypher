// Messages by source, session and position. Parameters: scopes, limit, offset. Result: a row each: message.
MATCH (m:Message) WHERE m.scope IN $scopes AND m.n IS NOT NULL
WITH m ORDER BY m.source, m.session, m.position, m.scope, m.n SKIP $offset LIMIT $limit
RETURN m {.id, .source, .session, .position, .speaker, .role, .text, .source_id, .metadata, .utc_offset,
    time: toString(m.time), recorded_at: toString(m.recorded_at)} AS message
