// Facts by id. Parameters: user_id, agent_id, run_id, ids. Result: a row each: fact.
MATCH (f:Fact) USING INDEX SEEK f:Fact(id, scope)
  WHERE f.id IN $ids AND f.scope IS NOT NULL AND f.user_id = coalesce($user_id, f.user_id) AND f.agent_id = coalesce($agent_id, f.agent_id)
  AND f.run_id = coalesce($run_id, f.run_id)
MATCH (s:Entity)<-[:SUBJECT]-(f)-[:OBJECT]->(o)
RETURN f {.id, .user_id, .agent_id, .run_id, .subject_id, .relation, .relation_given, .object_id, .text, .current,
    .valid_from_given, .valid_to_given, .confidence, .evidence, .brief, .observed, .planned_for, .metadata,
    said_at: toString(f.said_at), recorded_at: toString(f.recorded_at), retired_at: toString(f.retired_at),
    subject: s.name, subject_type: s.type, object: o.name, object_type: o.type} AS fact
