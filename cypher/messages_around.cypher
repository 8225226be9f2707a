// Messages with those before and after them in their sessions. Parameters: user_id, agent_id, run_id, ids, before, after (places).
// Result: a row for each message: around (its id), messages (in order of position, with itself).
MATCH (at:Message) USING INDEX SEEK at:Message(id, scope)
  WHERE at.id IN $ids AND at.scope IS NOT NULL AND at.user_id = coalesce($user_id, at.user_id)
  AND at.agent_id = coalesce($agent_id, at.agent_id) AND at.run_id = coalesce($run_id, at.run_id)
MATCH (near:Message) USING INDEX SEEK near:Message(session_id, position)
  WHERE near.session_id = at.session_id AND near.position >= at.position - $before AND near.position <= at.position + $after
WITH at, near ORDER BY near.position, near.n
RETURN at.id AS around, collect(near {.id, .source, .session, .position, .speaker, .role, .text, .source_id, .metadata,
    .utc_offset, time: toString(near.time), recorded_at: toString(near.recorded_at)}) AS messages
