// The facts about some entities, as their subject, latest first; none of an entity that has too many.
// Parameters: user_id, agent_id, run_id, ids; fan: facts that an entity may have; limit: of all; vectors: of the question; as_of,
// known_at, include_retired. Result: a row each: fact (with terms and similarities).
MATCH (e:Entity)<-[:SUBJECT]-(f:Fact) USING INDEX SEEK e:Entity(id, scope)
  WHERE e.id IN $ids AND e.scope IS NOT NULL AND e.user_id = coalesce($user_id, e.user_id) AND e.agent_id = coalesce($agent_id, e.agent_id)
  AND e.run_id = coalesce($run_id, e.run_id)
  AND f.recorded_at <= $known_at AND f.valid_from <= $as_of
  AND (f.current OR $include_retired OR f.retired_at > $known_at OR f.valid_to > $as_of)
WITH e, collect(f) AS told WHERE size(told) <= $fan
UNWIND told AS f
WITH f ORDER BY f.recorded_at DESC, f.n DESC LIMIT $limit
MATCH (s:Entity)<-[:SUBJECT]-(f)-[:OBJECT]->(o:Entity)
RETURN f {.id, .user_id, .agent_id, .run_id, .subject_id, .relation, .relation_given, .object_id, .text, .current,
    .valid_from_given, .valid_to_given, .confidence, .evidence,
    said_at: toString(f.said_at), recorded_at: toString(f.recorded_at), retired_at: toString(f.retired_at),
    subject: s.name, subject_type: s.type, object: o.name, object_type: o.type,
    .terms, similarities: [v IN $vectors | 2 * vector.similarity.cosine(f.embedding, v) - 1]} AS fact
ORDER BY f.recorded_at DESC, f.n DESC
