// Ids of entities, literals, facts, messages and decisions that start with a prefix. Parameters: user_id, agent_id, run_id, prefix, limit.
// Result: a row each: id, sorted.
CALL () {
  MATCH (e:Entity) USING INDEX SEEK e:Entity(id, scope)
    WHERE e.id STARTS WITH $prefix AND e.scope IS NOT NULL AND e.user_id = coalesce($user_id, e.user_id) AND e.agent_id = coalesce($agent_id, e.agent_id)
  AND e.run_id = coalesce($run_id, e.run_id)
  RETURN e.id AS id
  UNION
  MATCH (l:Literal) USING INDEX SEEK l:Literal(id, scope)
    WHERE l.id STARTS WITH $prefix AND l.scope IS NOT NULL AND l.user_id = coalesce($user_id, l.user_id) AND l.agent_id = coalesce($agent_id, l.agent_id)
  AND l.run_id = coalesce($run_id, l.run_id)
  RETURN l.id AS id
  UNION
  MATCH (f:Fact) USING INDEX SEEK f:Fact(id, scope)
    WHERE f.id STARTS WITH $prefix AND f.scope IS NOT NULL AND f.user_id = coalesce($user_id, f.user_id) AND f.agent_id = coalesce($agent_id, f.agent_id)
  AND f.run_id = coalesce($run_id, f.run_id)
  RETURN f.id AS id
  UNION
  MATCH (m:Message) USING INDEX SEEK m:Message(id, scope)
    WHERE m.id STARTS WITH $prefix AND m.scope IS NOT NULL AND m.user_id = coalesce($user_id, m.user_id) AND m.agent_id = coalesce($agent_id, m.agent_id)
  AND m.run_id = coalesce($run_id, m.run_id)
  RETURN m.id AS id
  UNION
  MATCH (d:Decision) USING INDEX SEEK d:Decision(id, scope)
    WHERE d.id STARTS WITH $prefix AND d.scope IS NOT NULL AND d.user_id = coalesce($user_id, d.user_id) AND d.agent_id = coalesce($agent_id, d.agent_id)
  AND d.run_id = coalesce($run_id, d.run_id)
  RETURN d.id AS id
}
RETURN id ORDER BY id LIMIT $limit
