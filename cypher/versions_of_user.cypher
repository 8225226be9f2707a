// The versions of the scopes that a search covers: whether what is held of them in memory is what the store has.
// For a scope with a user; what else is null is any.
// Parameters: user_id, agent_id, run_id; held: versions (written_at) of which it is not asked what has changed since; few: the
// number of scopes up to which they are returned.
// Result: one row: scopes, in order, a list each of scope, user_id, agent_id, run_id, n, written_at, the number of its facts and of
// its other nodes that are searched, and the last changes (a text each: the version before, the version after, and ids of facts and
// entities that were replaced); one more than few if there are more. embedder and dimensions of the store.
OPTIONAL MATCH (store:Mem0g {id: 'store'})
RETURN store.embedder AS embedder, store.dimensions AS dimensions, COLLECT {
  MATCH (s:Mem0gScope) USING INDEX SEEK s:Mem0gScope(user_id, run_id)
  WHERE s.user_id = $user_id AND s.run_id STARTS WITH coalesce($run_id, '')
    AND s.run_id = coalesce($run_id, s.run_id) AND s.agent_id = coalesce($agent_id, s.agent_id)
  WITH s, toString(s.written_at) AS version ORDER BY s.scope LIMIT $few + 1
  RETURN [s.scope, s.user_id, s.agent_id, s.run_id, s.n, version, coalesce(s.facts, 0),
    coalesce(s.messages, 0) + coalesce(s.passages, 0) + coalesce(s.entities, 0),
    CASE WHEN version IN $held THEN [] ELSE s.changes END]
} AS scopes
