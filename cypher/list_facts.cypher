// Facts in the order in which they were recorded. Parameters: scopes, relations (all if empty), entities (ids of either end; all
// if empty), limit, offset; as_of, known_at, include_retired. Result: a row each: fact.
MATCH (f:Fact) WHERE f.scope IN $scopes AND f.n IS NOT NULL
  AND (size($relations) = 0 OR f.relation IN $relations)
  AND (size($entities) = 0 OR f.subject_id IN $entities OR f.object_id IN $entities)
  AND f.recorded_at <= $known_at AND f.valid_from <= $as_of
  AND (f.current OR $include_retired OR f.retired_at > $known_at OR f.valid_to > $as_of)
WITH f ORDER BY f.recorded_at, f.scope, f.n SKIP $offset LIMIT $limit
MATCH (s:Entity)<-[:SUBJECT]-(f)-[:OBJECT]->(o)
RETURN f {.id, .user_id, .agent_id, .run_id, .subject_id, .relation, .relation_given, .object_id, .text, .current,
    .valid_from_given, .valid_to_given, .confidence, .evidence, .brief, .observed, .planned_for, .metadata,
    said_at: toString(f.said_at), recorded_at: toString(f.recorded_at), retired_at: toString(f.retired_at),
    subject: s.name, subject_type: s.type, object: o.name, object_type: o.type} AS fact ORDER BY f.recorded_at, f.scope, f.n
