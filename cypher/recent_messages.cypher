// The last messages of a session. Parameters: session_id, limit. Result: a row each: message, last first.
MATCH (m:Message) WHERE m.session_id = $session_id AND m.position IS NOT NULL
RETURN m {.id, .source, .session, .position, .speaker, .role, .text, .source_id, .metadata, .utc_offset,
    time: toString(m.time), recorded_at: toString(m.recorded_at)} AS message ORDER BY m.position DESC LIMIT $limit
