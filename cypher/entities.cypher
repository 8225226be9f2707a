// Entities and literals by id. Parameters: user_id, agent_id, run_id, ids. Result: a row each: entity.
CALL () {
  MATCH (e:Entity) USING INDEX SEEK e:Entity(id, scope) WHERE e.id IN $ids AND e.scope IS NOT NULL RETURN e
  UNION
  MATCH (e:Literal) USING INDEX SEEK e:Literal(id, scope) WHERE e.id IN $ids AND e.scope IS NOT NULL RETURN e
}
WITH e WHERE e.user_id = coalesce($user_id, e.user_id) AND e.agent_id = coalesce($agent_id, e.agent_id)
  AND e.run_id = coalesce($run_id, e.run_id)
RETURN e {.id, .user_id, .agent_id, .run_id, .name, .type, .aliases, .merged_into,
    created_at: toString(e.created_at), updated_at: toString(e.updated_at)} AS entity
