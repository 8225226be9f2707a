// Edges between entities without a matching fact. Reads all entities; for `mem0g verify` and `mem0g repair` only.
// Result: a row each: fact_id, subject and object (ids of the ends), scope, user_id, agent_id, run_id of the subject.
MATCH (a:Entity)-[edge]->(b) WHERE a.scope IS NOT NULL AND a.n IS NOT NULL AND edge.fact_id IS NOT NULL
  AND NOT EXISTS { MATCH (f:Fact {id: edge.fact_id, scope: a.scope}) WHERE f.subject_id = a.id AND f.object_id = b.id }
RETURN edge.fact_id AS fact_id, a.id AS subject, b.id AS object,
  a.scope AS scope, a.user_id AS user_id, a.agent_id AS agent_id, a.run_id AS run_id ORDER BY scope, fact_id
