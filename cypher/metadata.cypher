// The metadata of messages by id, of those that have any. Parameters: user_id, agent_id, run_id, ids.
// Result: a row each: id, metadata.
MATCH (m:Message) USING INDEX SEEK m:Message(id, scope)
  WHERE m.id IN $ids AND m.scope IS NOT NULL AND m.metadata IS NOT NULL AND m.user_id = coalesce($user_id, m.user_id)
  AND m.agent_id = coalesce($agent_id, m.agent_id) AND m.run_id = coalesce($run_id, m.run_id)
RETURN m.id AS id, m.metadata AS metadata
