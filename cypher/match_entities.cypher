CYPHER 25
// The entities that names might mean: by an equal name, by a shared token, by the vector of the name.
// Parameters: scope; user_id, agent_id, run_id (a null is any: of the keys that are not, the scope is the only one);
// queries, each with names (folded), names_query and tokens_query (full-text
// queries, or empty), vector (or null) and around (whether to return neighbours, dates and roles); nearest, sharing: how many by vector, and by token; exactly: compare all vectors
// of the scope rather than ask the index.
// around: an entity with more neighbours than this has none returned, with more dates of facts no dates, with more roles no roles.
// Vectors are read once and compared with all queries, as reading them takes most of the time.
// Result: one row, as the driver takes its time for each: entities, in no order, with matches (pairs of the i of a query
// and the similarity: the cosine), the ids of those that a fact joins with it, relation and date of its dated facts, and relation and subject of those of
// which it is the object.
CALL () {
  UNWIND CASE WHEN $exactly THEN [$scope] ELSE [] END AS scope
  MATCH (e:Entity) WHERE e.scope = scope AND e.n IS NOT NULL AND e.embedding IS NOT NULL
  RETURN collect([e, e.embedding, e.n]) AS compared
}
UNWIND range(0, size($queries) - 1) AS i
WITH compared, i, $queries[i] AS q
CALL (q, compared) {
  UNWIND CASE q.names_query WHEN '' THEN [] ELSE [q.names_query] END AS text
  CALL db.index.fulltext.queryNodes('mem0g_entity_names', text) YIELD node
  WITH node WHERE any(name IN node.names WHERE name IN q.names)
  RETURN node AS e
  UNION
  UNWIND CASE q.tokens_query WHEN '' THEN [] ELSE [q.tokens_query] END AS text
  CALL db.index.fulltext.queryNodes('mem0g_entity_names', text) YIELD node
  WITH node ORDER BY node.updated_at DESC, node.id LIMIT $sharing
  RETURN node AS e
  UNION
  UNWIND CASE WHEN q.vector IS NULL THEN [] ELSE compared END AS one
  WITH one, vector.similarity.euclidean(one[1], q.vector) AS similarity ORDER BY similarity DESC, one[2] LIMIT $nearest
  RETURN one[0] AS e
  UNION
  UNWIND CASE WHEN q.vector IS NOT NULL AND NOT $exactly AND $nearest > 0 THEN [q.vector] ELSE [] END AS vector
  MATCH (e:Entity) SEARCH e IN (VECTOR INDEX mem0g_entity_embedding FOR vector
    WHERE e.user_id = $user_id AND e.agent_id = $agent_id AND e.run_id = $run_id LIMIT $nearest)
  WHERE e.scope = $scope
  RETURN e
}
WITH e, max(q.around) AS around, collect([i, q.vector]) AS asked
WITH e, around, asked, e.embedding AS embedding
WITH e, around, [pair IN asked | [pair[0], CASE WHEN pair[1] IS NULL OR embedding IS NULL THEN 0.0
  ELSE 1.5 - 0.5 / vector.similarity.euclidean(embedding, pair[1]) END]] AS matches
CALL (e, around) {
  WITH e WHERE around
  MATCH (e)-[r]-(o:Entity) WHERE r.fact_id IS NOT NULL
  WITH DISTINCT o LIMIT $around + 2
  RETURN collect(o.id) AS others
}
CALL (e, around) {
  WITH e WHERE around
  MATCH (e)<-[:SUBJECT|OBJECT]-(f:Fact) WHERE f.valid_from_given IS NOT NULL
  WITH DISTINCT f.relation AS relation, f.valid_from_given AS date LIMIT $around + 1
  RETURN collect([relation, date]) AS dates
}
CALL (e, around) {
  WITH e WHERE around
  MATCH (e)<-[:OBJECT]-(f:Fact)-[:SUBJECT]->(o:Entity) WHERE f.current
  WITH DISTINCT f.relation AS relation, o.id AS subject LIMIT $around + 1
  RETURN collect([relation, subject]) AS roles
}
WITH e, matches, dates, roles, [id IN others WHERE id <> e.id] AS others
RETURN collect(e {.id, .user_id, .agent_id, .run_id, .name, .type, .aliases, .merged_into,
  created_at: toString(e.created_at), updated_at: toString(e.updated_at), matches: matches,
  neighbours: CASE WHEN size(others) <= $around THEN others ELSE [] END,
  dates: CASE WHEN size(dates) <= $around THEN dates ELSE [] END,
  roles: CASE WHEN size(roles) <= $around THEN roles ELSE [] END}) AS entities
