// The messages of a scope that were said at one of some times, by source, session and position. Parameters: scope, times.
// Result: a row each: message.
MATCH (m:Message) WHERE m.scope = $scope AND m.n IS NOT NULL AND m.time IN $times
RETURN m {.id, .source, .session, .position, .speaker, .role, .text, .source_id, .metadata, .utc_offset,
    time: toString(m.time), recorded_at: toString(m.recorded_at)} AS message ORDER BY m.source, m.session, m.position, m.n
