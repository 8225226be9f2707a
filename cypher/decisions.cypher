// The log entries about facts or entities. Parameters: user_id, agent_id, run_id, ids.
// Result: a row each: decision; in the order in which they were taken.
CALL () {
  MATCH (f:Fact) USING INDEX SEEK f:Fact(id, scope)
    WHERE f.id IN $ids AND f.scope IS NOT NULL RETURN f AS about
  UNION
  MATCH (e:Entity) USING INDEX SEEK e:Entity(id, scope)
    WHERE e.id IN $ids AND e.scope IS NOT NULL RETURN e AS about
}
MATCH (about)<-[:ABOUT]-(d:Decision) WHERE d.user_id = coalesce($user_id, d.user_id) AND d.agent_id = coalesce($agent_id, d.agent_id)
  AND d.run_id = coalesce($run_id, d.run_id)
WITH DISTINCT d ORDER BY d.at, d.scope, d.n
RETURN properties(d) AS decision
