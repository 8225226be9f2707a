CYPHER 25
// The facts that new triples might touch: by structure (the same two ends, or a relation and a shared end), latest
// first, and the current ones with the most similar sentence.
// Parameters: scope, user_id, agent_id, run_id; queries, each with subject and object (ids), relations, vector; structure,
// nearest: how many of each kind; exactly: compare all vectors of the scope rather than ask the index.
// Result: one row: matches (i of the query, id, similarity: the cosine) and facts, each once.
UNWIND range(0, size($queries) - 1) AS i
WITH i, $queries[i] AS q
CALL (q) {
  CALL (q) {
    MATCH (f:Fact) WHERE f.subject_id IN [q.subject, q.object] AND f.relation IN q.relations AND f.scope = $scope
    RETURN f
    UNION
    MATCH (f:Fact) WHERE f.object_id IN [q.subject, q.object] AND f.relation IN q.relations AND f.scope = $scope
    RETURN f
    UNION
    MATCH (:Entity {id: q.subject, scope: $scope})-[r]-(:Entity {id: q.object, scope: $scope}) WHERE r.fact_id IS NOT NULL
    MATCH (f:Fact {id: r.fact_id, scope: $scope})
    RETURN f
  }
  WITH f ORDER BY f.n DESC LIMIT $structure
  RETURN f
  UNION
  UNWIND CASE WHEN $exactly THEN [q.vector] ELSE [] END AS vector
  MATCH (f:Fact) WHERE f.scope = $scope AND f.n IS NOT NULL AND f.current AND f.embedding IS NOT NULL
  WITH f, vector.similarity.cosine(f.embedding, vector) AS similarity ORDER BY similarity DESC, f.n LIMIT $nearest
  RETURN f
  UNION
  UNWIND CASE WHEN $exactly OR $nearest = 0 THEN [] ELSE [q.vector] END AS vector
  MATCH (f:Fact) SEARCH f IN (VECTOR INDEX mem0g_fact_embedding FOR vector
    WHERE f.user_id = $user_id AND f.agent_id = $agent_id AND f.run_id = $run_id AND f.current = true LIMIT $nearest)
  RETURN f
}
WITH collect({
  i: i, id: f.id,
  similarity: CASE WHEN f.embedding IS NULL THEN 0.0 ELSE 2 * vector.similarity.cosine(f.embedding, q.vector) - 1 END
}) AS matches, collect(DISTINCT f) AS found
RETURN matches, COLLECT {
  UNWIND found AS f MATCH (s:Entity)<-[:SUBJECT]-(f)-[:OBJECT]->(o:Entity)
  RETURN f {.*, embedding: null, subject: s.name, subject_type: s.type, object: o.name, object_type: o.type}
} AS facts
