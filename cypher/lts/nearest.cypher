// The nearest nodes to a question by vector: entities by name, messages, facts in the view; in a small memory by comparing
// all, in a large one by asking the index. And those found by full text: messages, passages, facts in the view.
// Parameters: user_id, agent_id, run_id; vector; nearness (the sum of the vectors of the question, as a unit vector);
// anchors, messages, facts: how many of each, and as many passages as messages; exact: the size up to which all are compared; current_view: whether the view
// is of current facts alone (others always compare all); all_messages: whether all messages are visible (else all are
// compared); as_of, known_at, include_retired; overfetch: the most to ask the
// index for, as a multiple of what is to be searched. The index gives the nearest of all memories, so it is asked for as
// many as leave enough of this one: twice its share; where that is more, or too few are of this one, all are compared.
// message_query, fact_query (full-text queries, or empty), message_text_limit, text_limit: the maximum of full-text hits
// considered; few: the number of scopes up to which their versions are returned.
// Result: one row: entities (id, similarity: the cosine), messages, passages and facts (ids, those by vector first); versions
// of the scopes, which change with each write (scope, n, written_at; null for many scopes); embedder and dimensions of the store.
CALL () {
  WITH $user_id AS key WHERE key IS NOT NULL
  MATCH (s:Mem0gScope) USING INDEX SEEK s:Mem0gScope(user_id, run_id)
  WHERE s.user_id = key AND s.run_id STARTS WITH coalesce($run_id, '') RETURN s
  UNION
  WITH $run_id AS key WHERE key IS NOT NULL AND $user_id IS NULL
  MATCH (s:Mem0gScope {run_id: key}) USING INDEX SEEK s:Mem0gScope(run_id) RETURN s
  UNION
  WITH $agent_id AS key WHERE key IS NOT NULL AND $user_id IS NULL AND $run_id IS NULL
  MATCH (s:Mem0gScope {agent_id: key}) USING INDEX SEEK s:Mem0gScope(agent_id) RETURN s
}
WITH s WHERE s.user_id = coalesce($user_id, s.user_id) AND s.agent_id = coalesce($agent_id, s.agent_id)
  AND s.run_id = coalesce($run_id, s.run_id)
WITH collect(s.scope) AS scopes, sum(s.entities) AS entities, sum(s.messages) AS messages,
  sum(coalesce(s.passages, 0)) AS passages, sum(s.facts) AS facts,
  collect([s.scope, s.n, toString(s.written_at)]) AS versions
WITH scopes, versions, entities, messages, passages, facts,
  CASE WHEN entities <= $exact THEN 0 ELSE toInteger(2.0 * $anchors * COUNT { (:Entity) } / entities) END AS ask_entities,
  CASE WHEN messages <= $exact OR NOT $all_messages THEN 0
    ELSE toInteger(2.0 * $messages * COUNT { (:Message) } / messages) END AS ask_messages,
  CASE WHEN passages <= $exact OR NOT $all_messages THEN 0
    ELSE toInteger(2.0 * $messages * COUNT { (:Passage) } / passages) END AS ask_passages,
  CASE WHEN facts <= $exact OR NOT $current_view THEN 0
    ELSE toInteger(2.0 * $facts * COUNT { (:Fact) } / facts) END AS ask_facts
CALL (scopes, entities, ask_entities) {
  UNWIND CASE WHEN 0 < ask_entities <= $overfetch * entities THEN [ask_entities] ELSE [] END AS ask
  CALL db.index.vector.queryNodes('mem0g_entity_embedding', ask, $vector) YIELD node, score
  WITH node, score WHERE node.scope IN scopes
  RETURN collect({e: node, similarity: score})[..$anchors] AS indexed_entities
}
CALL (scopes, indexed_entities) {
  CALL (scopes, indexed_entities) {
    UNWIND indexed_entities AS each RETURN each.e AS e, each.similarity AS similarity
    UNION
    UNWIND CASE WHEN size(indexed_entities) < $anchors THEN scopes ELSE [] END AS scope
    MATCH (e:Entity) WHERE e.scope = scope AND e.n IS NOT NULL AND e.embedding IS NOT NULL
    WITH e, 1.25 - 0.25 / vector.similarity.euclidean(e.embedding, $vector) AS similarity
    RETURN e, similarity ORDER BY similarity DESC, e.id LIMIT $anchors
  }
  RETURN collect({id: e.id, similarity: 2 * similarity - 1}) AS near_entities
}
CALL (scopes, messages, ask_messages) {
  UNWIND CASE WHEN 0 < ask_messages <= $overfetch * messages THEN [ask_messages] ELSE [] END AS ask
  CALL db.index.vector.queryNodes('mem0g_message_embedding', ask, $nearness) YIELD node, score
  WITH node, score WHERE node.scope IN scopes
  RETURN collect(node)[..$messages] AS indexed_messages
}
CALL (scopes, indexed_messages) {
  CALL (scopes, indexed_messages) {
    UNWIND indexed_messages AS m RETURN m
    UNION
    UNWIND CASE WHEN size(indexed_messages) < $messages THEN scopes ELSE [] END AS scope
    MATCH (m:Message) WHERE m.scope = scope AND m.n IS NOT NULL AND m.embedding IS NOT NULL
      AND coalesce(m.recorded_at, m.time, $known_at) <= $known_at
    WITH m, vector.similarity.euclidean(m.embedding, $nearness) AS similarity ORDER BY similarity DESC, m.n LIMIT $messages
    RETURN m
  }
  RETURN collect(m.id) AS near_messages
}
CALL (scopes, passages, ask_passages) {
  UNWIND CASE WHEN 0 < ask_passages <= $overfetch * passages THEN [ask_passages] ELSE [] END AS ask
  CALL db.index.vector.queryNodes('mem0g_passage_embedding', ask, $nearness) YIELD node, score
  WITH node, score WHERE node.scope IN scopes
  RETURN collect(node)[..$messages] AS indexed_passages
}
CALL (scopes, indexed_passages) {
  CALL (scopes, indexed_passages) {
    UNWIND indexed_passages AS p RETURN p
    UNION
    UNWIND CASE WHEN size(indexed_passages) < $messages THEN scopes ELSE [] END AS scope
    MATCH (p:Passage) WHERE p.scope = scope AND p.n IS NOT NULL AND p.embedding IS NOT NULL
      AND coalesce(p.recorded_at, $known_at) <= $known_at
    WITH p, vector.similarity.euclidean(p.embedding, $nearness) AS similarity ORDER BY similarity DESC, p.n LIMIT $messages
    RETURN p
  }
  RETURN collect(p.id) AS near_passages
}
CALL (scopes, facts, ask_facts) {
  UNWIND CASE WHEN 0 < ask_facts <= $overfetch * facts THEN [ask_facts] ELSE [] END AS ask
  CALL db.index.vector.queryNodes('mem0g_fact_embedding', ask, $nearness) YIELD node, score
  WITH node, score WHERE node.scope IN scopes AND node.current
  RETURN collect(node)[..$facts] AS indexed_facts
}
CALL (scopes, indexed_facts) {
  CALL (scopes, indexed_facts) {
    UNWIND indexed_facts AS f RETURN f
    UNION
    UNWIND CASE WHEN size(indexed_facts) < $facts THEN scopes ELSE [] END AS scope
    MATCH (f:Fact) WHERE f.scope = scope AND f.n IS NOT NULL AND f.embedding IS NOT NULL
      AND f.recorded_at <= $known_at AND f.valid_from <= $as_of
      AND (f.current OR $include_retired OR f.retired_at > $known_at OR f.valid_to > $as_of)
    WITH f, vector.similarity.euclidean(f.embedding, $nearness) AS similarity ORDER BY similarity DESC, f.n LIMIT $facts
    RETURN f
  }
  RETURN collect(f.id) AS near_facts
}
CALL () {
  UNWIND CASE $message_query WHEN '' THEN [] ELSE [$message_query] END AS text
  CALL db.index.fulltext.queryNodes('mem0g_message_terms', text, {limit: $message_text_limit}) YIELD node AS m
  WITH m WHERE $all_messages OR coalesce(m.recorded_at, m.time, $known_at) <= $known_at
  WITH m LIMIT $messages
  RETURN collect(m.id) AS said_messages
}
CALL () {
  UNWIND CASE $message_query WHEN '' THEN [] ELSE [$message_query] END AS text
  CALL db.index.fulltext.queryNodes('mem0g_passage_terms', text, {limit: $message_text_limit}) YIELD node AS p
  WITH p WHERE $all_messages OR coalesce(p.recorded_at, $known_at) <= $known_at
  WITH p LIMIT $messages
  RETURN collect(p.id) AS said_passages
}
CALL () {
  UNWIND CASE $fact_query WHEN '' THEN [] ELSE [$fact_query] END AS text
  CALL db.index.fulltext.queryNodes('mem0g_fact_terms', text, {limit: $text_limit}) YIELD node AS f
  WITH f
  WHERE f.recorded_at <= $known_at AND f.valid_from <= $as_of
    AND (f.current OR $include_retired OR f.retired_at > $known_at OR f.valid_to > $as_of)
  WITH f LIMIT $facts
  RETURN collect(f.id) AS said_facts
}
OPTIONAL MATCH (store:Mem0g {id: 'store'})
RETURN near_entities AS entities, near_messages + said_messages AS messages, near_passages + said_passages AS passages,
  near_facts + said_facts AS facts, CASE WHEN size(scopes) <= $few THEN versions END AS versions,
  store.embedder AS embedder, store.dimensions AS dimensions
