// Entities of exactly one scope by id, or by what they were merged into. Parameters: scope, ids, merged_into.
// Result: a row each: entity; by id.
CALL () {
  UNWIND $ids AS id MATCH (e:Entity {id: id, scope: $scope}) RETURN e
  UNION
  UNWIND $merged_into AS id MATCH (:Entity {id: id, scope: $scope})<-[:MERGED_INTO]-(e:Entity) RETURN e
}
RETURN e {.id, .user_id, .agent_id, .run_id, .name, .type, .aliases, .merged_into,
    created_at: toString(e.created_at), updated_at: toString(e.updated_at)} AS entity ORDER BY e.id
