CYPHER 25
// The facts that new triples might affect: by structure (the same two ends; the subject and one of the relations; any
// shared end and one of the relations of_either_end), latest first, and the current ones with the most similar sentence.
// Parameters: scope; user_id, agent_id, run_id (a null is any: of the keys that are not, the scope is the only one);
// queries, each with subject and object (ids), relations, of_either_end, vector; structure,
// nearest: how many of each kind; exactly: compare all vectors of the scope rather than ask the index.
// Vectors are read once and compared with all queries, as reading them takes most of the time.
// Result: one row: facts, each once and in no order, with matches (pairs of the i of a query and the similarity: the cosine).
CALL () {
  UNWIND CASE WHEN $exactly THEN [$scope] ELSE [] END AS scope
  MATCH (f:Fact) WHERE f.scope = scope AND f.n IS NOT NULL AND f.current AND f.embedding IS NOT NULL
  RETURN collect([f, f.embedding, f.n]) AS compared
}
UNWIND range(0, size($queries) - 1) AS i
WITH compared, i, $queries[i] AS q
CALL (q, compared) {
  CALL (q) {
    MATCH (f:Fact) WHERE f.subject_id = q.subject AND f.relation IN q.relations AND f.scope = $scope
    RETURN f
    UNION
    MATCH (f:Fact) WHERE f.subject_id = q.object AND f.relation IN q.of_either_end AND f.scope = $scope
    RETURN f
    UNION
    MATCH (f:Fact) WHERE f.object_id IN [q.subject, q.object] AND f.relation IN q.of_either_end AND f.scope = $scope
    RETURN f
    UNION
    MATCH (a:Entity {id: q.subject, scope: $scope}) USING INDEX SEEK a:Entity(id, scope)
    MATCH (b:Entity {id: q.object, scope: $scope}) USING INDEX SEEK b:Entity(id, scope)
    WITH a, b LIMIT 1  // else all relationships of one end may be read
    MATCH (a)-[r]-(b) WHERE r.fact_id IS NOT NULL
    MATCH (f:Fact {id: r.fact_id, scope: $scope}) USING INDEX SEEK f:Fact(id, scope)
    RETURN f
    UNION
    MATCH (:Literal {id: q.object, scope: $scope})<-[:OBJECT]-(f:Fact) WHERE f.subject_id = q.subject
    RETURN f
  }
  WITH f ORDER BY f.n DESC LIMIT $structure
  RETURN f
  UNION
  UNWIND compared AS one
  WITH one, vector.similarity.euclidean(one[1], q.vector) AS similarity ORDER BY similarity DESC, one[2] LIMIT $nearest
  RETURN one[0] AS f
  UNION
  UNWIND CASE WHEN $exactly OR $nearest = 0 THEN [] ELSE [q.vector] END AS vector
  MATCH (f:Fact) SEARCH f IN (VECTOR INDEX mem0g_fact_embedding FOR vector
    WHERE f.user_id = $user_id AND f.agent_id = $agent_id AND f.run_id = $run_id AND f.current = true LIMIT $nearest)
  WHERE f.scope = $scope
  RETURN f
}
WITH f, collect([i, q.vector]) AS asked
MATCH (s:Entity)<-[:SUBJECT]-(f)-[:OBJECT]->(o)
WITH s, o, asked, properties(f) AS f
RETURN collect(f {.id, .user_id, .agent_id, .run_id, .subject_id, .relation, .relation_given, .object_id, .text, .current,
  .valid_from_given, .valid_to_given, .confidence, .evidence, .brief, .observed, .planned_for, .metadata,
  said_at: toString(f.said_at), recorded_at: toString(f.recorded_at), retired_at: toString(f.retired_at),
  subject: s.name, subject_type: s.type, object: o.name, object_type: o.type,
  matches: [pair IN asked | [pair[0], CASE WHEN f.embedding IS NULL THEN 0.0
    ELSE 1.5 - 0.5 / vector.similarity.euclidean(f.embedding, pair[1]) END]]}) AS facts
