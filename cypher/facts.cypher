// Facts by id. Parameters: user_id, agent_id, run_id, ids. Result: a row each: fact.
MATCH (f:Fact) WHERE f.id IN $ids AND f.scope IS NOT NULL AND f.user_id = coalesce($user_id, f.user_id) AND f.agent_id = coalesce($agent_id, f.agent_id)
  AND f.run_id = coalesce($run_id, f.run_id)
MATCH (s:Entity)<-[:SUBJECT]-(f)-[:OBJECT]->(o:Entity)
RETURN f {.*, embedding: null, keys: null, terms: null, subject: s.name, subject_type: s.type, object: o.name,
  object_type: o.type} AS fact
