// The facts of some entities, latest first. Parameters: user_id, agent_id, run_id, ids, limit; as_of, known_at,
// include_retired. Result: a row each: fact.
MATCH (e:Entity)<-[:SUBJECT|OBJECT]-(f:Fact) USING INDEX SEEK e:Entity(id, scope)
  WHERE e.id IN $ids AND e.scope IS NOT NULL AND e.user_id = coalesce($user_id, e.user_id) AND e.agent_id = coalesce($agent_id, e.agent_id)
  AND e.run_id = coalesce($run_id, e.run_id)
  AND f.recorded_at <= $known_at AND f.valid_from <= $as_of
  AND (f.current OR $include_retired OR f.retired_at > $known_at OR f.valid_to > $as_of)
WITH DISTINCT f ORDER BY f.recorded_at DESC, f.n DESC LIMIT $limit
MATCH (s:Entity)<-[:SUBJECT]-(f)-[:OBJECT]->(o)
RETURN f {.id, .user_id, .agent_id, .run_id, .subject_id, .relation, .relation_given, .object_id, .text, .current,
    .valid_from_given, .valid_to_given, .confidence, .evidence, .brief, .observed, .planned_for, .metadata,
    said_at: toString(f.said_at), recorded_at: toString(f.recorded_at), retired_at: toString(f.retired_at),
    subject: s.name, subject_type: s.type, object: o.name, object_type: o.type} AS fact ORDER BY f.recorded_at DESC, f.n DESC
