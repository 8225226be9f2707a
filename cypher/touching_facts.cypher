// Return the facts of exactly one scope that have one of the given ids, have one of the given entities or literals as an end,
// or cite one of the given messages as evidence. Parameters: scope, ids, of (ids of entities), citing (ids of messages).
// Result: one row per fact: fact; in the order of recording.
CALL () {
  UNWIND $ids AS id MATCH (f:Fact {id: id, scope: $scope}) RETURN f
  UNION
  UNWIND $of AS id MATCH (:Entity {id: id, scope: $scope})<-[:SUBJECT|OBJECT]-(f:Fact) RETURN f
  UNION
  UNWIND $of AS id MATCH (:Literal {id: id, scope: $scope})<-[:OBJECT]-(f:Fact) RETURN f
  UNION
  UNWIND $citing AS id
  MATCH (f:Fact) WHERE f.scope = $scope AND f.n IS NOT NULL AND id IN f.evidence RETURN f
}
MATCH (s:Entity)<-[:SUBJECT]-(f)-[:OBJECT]->(o)
RETURN f {.id, .user_id, .agent_id, .run_id, .subject_id, .relation, .relation_given, .object_id, .text, .current,
    .valid_from_given, .valid_to_given, .confidence, .evidence, .brief, .observed, .planned_for, .metadata,
    said_at: toString(f.said_at), recorded_at: toString(f.recorded_at), retired_at: toString(f.retired_at),
    subject: s.name, subject_type: s.type, object: o.name, object_type: o.type} AS fact ORDER BY f.recorded_at, f.n
