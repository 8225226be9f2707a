// Return the entities and literals of exactly one scope that have one of the given ids or were merged into one of the given entities.
// Parameters: scope, ids, merged_into (ids of entities). Result: one row per entity: entity; ordered by id.
CALL () {
  UNWIND $ids AS id MATCH (e:Entity {id: id, scope: $scope}) RETURN e
  UNION
  UNWIND $ids AS id MATCH (e:Literal {id: id, scope: $scope}) RETURN e
  UNION
  UNWIND $merged_into AS id MATCH (:Entity {id: id, scope: $scope})<-[:MERGED_INTO]-(e:Entity) RETURN e
}
RETURN e {.id, .user_id, .agent_id, .run_id, .name, .type, .aliases, .merged_into,
    created_at: toString(e.created_at), updated_at: toString(e.updated_at)} AS entity ORDER BY e.id
