// The exact scopes of entities, literals, facts, messages and decisions. Parameters: user_id, agent_id, run_id, ids.
// Result: a row each: id; user_id, agent_id, run_id, of the node.
CALL () {
  MATCH (e:Entity) USING INDEX SEEK e:Entity(id, scope) WHERE e.id IN $ids AND e.scope IS NOT NULL RETURN e AS node
  UNION
  MATCH (l:Literal) USING INDEX SEEK l:Literal(id, scope) WHERE l.id IN $ids AND l.scope IS NOT NULL RETURN l AS node
  UNION
  MATCH (f:Fact) USING INDEX SEEK f:Fact(id, scope) WHERE f.id IN $ids AND f.scope IS NOT NULL RETURN f AS node
  UNION
  MATCH (m:Message) USING INDEX SEEK m:Message(id, scope) WHERE m.id IN $ids AND m.scope IS NOT NULL RETURN m AS node
  UNION
  MATCH (d:Decision) USING INDEX SEEK d:Decision(id, scope) WHERE d.id IN $ids AND d.scope IS NOT NULL RETURN d AS node
}
WITH node WHERE node.user_id = coalesce($user_id, node.user_id) AND node.agent_id = coalesce($agent_id, node.agent_id)
  AND node.run_id = coalesce($run_id, node.run_id)
RETURN node.id AS id, node.user_id AS user_id, node.agent_id AS agent_id, node.run_id AS run_id
