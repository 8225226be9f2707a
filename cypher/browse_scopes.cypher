// The scopes that have the keys given, those with most facts first, to choose the one that Neo4j Browser shows.
// Parameters: user_id, agent_id, run_id (null for a key that is not given), limit.
// Result: a row each: scope; user_id, agent_id, run_id ('' for a key it does not have); found, how many there are
// without the limit.
CALL () {
  WITH $user_id AS key WHERE key IS NOT NULL
  MATCH (s:Mem0gScope) USING INDEX SEEK s:Mem0gScope(user_id, run_id)
  WHERE s.user_id = key AND s.run_id STARTS WITH coalesce($run_id, '') RETURN s
  UNION
  WITH $run_id AS key WHERE key IS NOT NULL AND $user_id IS NULL
  MATCH (s:Mem0gScope {run_id: key}) USING INDEX SEEK s:Mem0gScope(run_id) RETURN s
  UNION
  WITH $agent_id AS key WHERE key IS NOT NULL AND $user_id IS NULL AND $run_id IS NULL
  MATCH (s:Mem0gScope {agent_id: key}) USING INDEX SEEK s:Mem0gScope(agent_id) RETURN s
  UNION
  WITH coalesce($user_id, $agent_id, $run_id) AS key WHERE key IS NULL MATCH (s:Mem0gScope) WHERE s.scope IS NOT NULL RETURN s
}
WITH s WHERE s.user_id = coalesce($user_id, s.user_id) AND s.agent_id = coalesce($agent_id, s.agent_id)
  AND s.run_id = coalesce($run_id, s.run_id)
WITH s ORDER BY s.facts DESC, s.scope
WITH collect(s) AS scopes
UNWIND scopes[..$limit] AS s
RETURN s.scope AS scope, s.user_id AS user_id, s.agent_id AS agent_id, s.run_id AS run_id, size(scopes) AS found
