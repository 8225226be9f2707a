// Messages by id. Parameters: user_id, agent_id, run_id, ids. Result: a row each: message.
MATCH (m:Message) USING INDEX SEEK m:Message(id, scope)
  WHERE m.id IN $ids AND m.scope IS NOT NULL AND m.user_id = coalesce($user_id, m.user_id) AND m.agent_id = coalesce($agent_id, m.agent_id)
  AND m.run_id = coalesce($run_id, m.run_id)
RETURN m {.id, .source, .session, .position, .speaker, .role, .text, .source_id, .metadata, .utc_offset,
    time: toString(m.time), recorded_at: toString(m.recorded_at)} AS message
