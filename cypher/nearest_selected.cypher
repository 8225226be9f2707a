// The nearest nodes to a question among those of a selection, by vector and by full text: entities by name (of all), messages and
// passages, facts in the view. All of the scopes are compared.
// Parameters: user_id, agent_id, run_id; vector; nearness (the sum of the vectors of the question, as a unit vector);
// messages, facts: how many of each by vector, and as many by full text; message_query, fact_query (full-text queries, or
// empty), text_limit: full-text hits considered; current_view: whether the view is of current facts alone; as_of,
// known_at, include_retired; facts_only: whether no message is selected; the selection.
// The selection (see mem0g.store.queries.Selection), null for no condition: selected_relations; types, not_types; valid_since, valid_until,
// said_since, said_until, recorded_since, recorded_until; roles, speakers, metadata (texts, '' for none) and by_message,
// by_own_metadata, by_none.
// The walk: anchors (ids; if there are none, up to nearest_anchors entities whose names have at least anchor_similarity), hops (at
// most 3), budget. The traversal, subject to object: traversal (ids of entities), traversal_hops (at most 4), traversal_budget,
// max_degree: an entity with more facts is not expanded. The instructions: instruction_query (full-text query, or empty), instruct:
// the name of the relation, max_with_stem: full-text hits considered, instructions: the maximum.
// Result: one row: anchors (ids of the nearest entities), messages, passages and facts (ids, those by vector first); walk (ids of
// facts, one list a hop), traversal and instructions (ids in order), known (empty);
// embedder and dimensions of the store.
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
WITH collect(s.scope) AS scopes
WITH scopes, [] AS known
CALL (scopes) {
  UNWIND CASE WHEN $nearest_anchors > 0 THEN scopes ELSE [] END AS scope
  MATCH (e:Entity) WHERE e.scope = scope AND e.n IS NOT NULL AND e.embedding IS NOT NULL
  WITH e, 1.25 - 0.25 / vector.similarity.euclidean(e.embedding, $vector) AS similarity
    ORDER BY similarity DESC, e.id LIMIT $nearest_anchors
  RETURN [pair IN collect([e.id, 2 * similarity - 1]) WHERE pair[1] >= $anchor_similarity | pair[0]] AS near
}
CALL (scopes) {
  CALL (scopes) {
    UNWIND scopes AS scope
    MATCH (m:Message) WHERE m.scope = scope AND m.n IS NOT NULL
    RETURN m, null AS score
    UNION ALL
    UNWIND CASE $message_query WHEN '' THEN [] ELSE [$message_query] END AS text
    CALL db.index.fulltext.queryNodes('mem0g_message_terms', text, {limit: $text_limit}) YIELD node AS m, score
    RETURN m, score
  }
  WITH m, score WHERE coalesce(m.recorded_at, m.time, $known_at) <= $known_at AND NOT $facts_only
    AND ($said_since IS NULL OR m.time >= $said_since) AND ($said_until IS NULL OR m.time < $said_until)
    AND ($recorded_since IS NULL OR m.recorded_at >= $recorded_since)
    AND ($recorded_until IS NULL OR m.recorded_at < $recorded_until)
    AND ($roles IS NULL OR m.role IN $roles) AND ($speakers IS NULL OR m.speaker IN $speakers)
    AND ($metadata IS NULL OR coalesce(m.metadata, '') IN $metadata)
  RETURN collect({m: m, score: score}) AS chosen_messages
}
CALL (chosen_messages) {
  UNWIND chosen_messages AS each
  WITH each.m AS m, each.score AS score WHERE score IS NULL AND m.embedding IS NOT NULL
  WITH m, vector.similarity.euclidean(m.embedding, $nearness) AS similarity ORDER BY similarity DESC, m.n LIMIT $messages
  RETURN collect(m.id) AS near_messages
}
CALL (chosen_messages) {
  UNWIND chosen_messages AS each
  WITH each.m AS m, each.score AS score WHERE score IS NOT NULL
  WITH m, score ORDER BY score DESC, m.n LIMIT $messages
  RETURN collect(m.id) AS said_messages
}
CALL (chosen_messages) {
  UNWIND chosen_messages AS each
  WITH each.m AS m, each.score AS score WHERE score IS NULL
  MATCH (m)<-[:IN]-(p:Passage) WHERE p.embedding IS NOT NULL
  WITH p, vector.similarity.euclidean(p.embedding, $nearness) AS similarity ORDER BY similarity DESC, p.n LIMIT $messages
  RETURN collect(p.id) AS near_passages
}
CALL () {
  UNWIND CASE $message_query WHEN '' THEN [] ELSE [$message_query] END AS text
  CALL db.index.fulltext.queryNodes('mem0g_passage_terms', text, {limit: $text_limit}) YIELD node AS p, score
  MATCH (p)-[:IN]->(m:Message)
  WHERE coalesce(m.recorded_at, m.time, $known_at) <= $known_at AND NOT $facts_only
    AND ($said_since IS NULL OR m.time >= $said_since) AND ($said_until IS NULL OR m.time < $said_until)
    AND ($recorded_since IS NULL OR m.recorded_at >= $recorded_since)
    AND ($recorded_until IS NULL OR m.recorded_at < $recorded_until)
    AND ($roles IS NULL OR m.role IN $roles) AND ($speakers IS NULL OR m.speaker IN $speakers)
    AND ($metadata IS NULL OR coalesce(m.metadata, '') IN $metadata)
  WITH p, score ORDER BY score DESC, p.n LIMIT $messages
  RETURN collect(p.id) AS said_passages
}
CALL (scopes) {
  CALL (scopes) {
    UNWIND scopes AS scope
    MATCH (f:Fact) WHERE f.scope = scope AND f.n IS NOT NULL
    RETURN f, null AS score
    UNION ALL
    UNWIND CASE $fact_query WHEN '' THEN [] ELSE [$fact_query] END AS text
    CALL db.index.fulltext.queryNodes('mem0g_fact_terms', text, {limit: $text_limit}) YIELD node AS f, score
    RETURN f, score
  }
  WITH f, score
  WHERE CASE WHEN $current_view THEN f.current ELSE f.recorded_at <= $known_at AND f.valid_from <= $as_of
    AND (f.current OR $include_retired OR f.retired_at > $known_at OR f.valid_to > $as_of) END
    AND ($selected_relations IS NULL OR f.relation IN $selected_relations)
    AND ($types IS NULL OR EXISTS { (f)-[:SUBJECT|OBJECT]->(e) WHERE e.type IN $types })
    AND ($not_types IS NULL OR NOT EXISTS { (f)-[:SUBJECT|OBJECT]->(e) WHERE e.type IN $not_types })
    AND ($valid_since IS NULL OR f.valid_from_given IS NOT NULL AND f.valid_from >= $valid_since)
    AND ($valid_until IS NULL OR f.valid_from_given IS NOT NULL AND f.valid_from < $valid_until)
    AND ($said_since IS NULL OR f.said_at >= $said_since) AND ($said_until IS NULL OR f.said_at < $said_until)
    AND ($recorded_since IS NULL OR f.recorded_at >= $recorded_since)
    AND ($recorded_until IS NULL OR f.recorded_at < $recorded_until)
    AND (NOT $by_message
      OR EXISTS {
        (f)-[:EVIDENCE]->(m:Message)
        WHERE ($roles IS NULL OR m.role IN $roles) AND ($speakers IS NULL OR m.speaker IN $speakers)
          AND ($metadata IS NULL OR coalesce(m.metadata, '') IN $metadata)
      }
      OR $by_own_metadata AND (f.metadata IN $metadata OR $by_none AND f.metadata IS NULL AND size(f.evidence) = 0))
  RETURN collect({f: f, score: score}) AS chosen_facts
}
CALL (chosen_facts) {
  UNWIND chosen_facts AS each
  WITH each.f AS f, each.score AS score WHERE score IS NULL AND f.embedding IS NOT NULL
  WITH f, vector.similarity.euclidean(f.embedding, $nearness) AS similarity ORDER BY similarity DESC, f.n LIMIT $facts
  RETURN collect(f.id) AS near_facts
}
CALL (chosen_facts) {
  UNWIND chosen_facts AS each
  WITH each.f AS f, each.score AS score WHERE score IS NOT NULL
  WITH f, score ORDER BY score DESC, f.n LIMIT $facts
  RETURN collect(f.id) AS said_facts
}
CALL (near, known) {
  MATCH (e:Entity) USING INDEX SEEK e:Entity(id, scope)
    WHERE e.id IN $anchors + near AND e.scope IS NOT NULL
  WITH collect(e) AS start
  CALL (start, known) {
    UNWIND CASE WHEN $hops >= 1 AND NOT 'walk' IN known THEN start ELSE [] END AS e
    MATCH (e)<-[:SUBJECT|OBJECT]-(f:Fact)
    WHERE CASE WHEN $current_view THEN f.current ELSE f.recorded_at <= $known_at AND f.valid_from <= $as_of
      AND (f.current OR $include_retired OR f.retired_at > $known_at OR f.valid_to > $as_of) END
    WITH DISTINCT f ORDER BY f.recorded_at DESC, f.n DESC LIMIT $budget
    RETURN collect(f) AS first
  }
  CALL (start, first) {
    UNWIND CASE WHEN $hops >= 2 AND size(first) < $budget THEN first ELSE [] END AS near
    MATCH (near)-[:SUBJECT|OBJECT]->(e:Entity) WHERE NOT e IN start
    WITH DISTINCT e
    MATCH (e)<-[:SUBJECT|OBJECT]-(f:Fact)
    WHERE CASE WHEN $current_view THEN f.current ELSE f.recorded_at <= $known_at AND f.valid_from <= $as_of
      AND (f.current OR $include_retired OR f.retired_at > $known_at OR f.valid_to > $as_of) END
    WITH DISTINCT f ORDER BY f.recorded_at DESC, f.n DESC LIMIT 2 * $budget  // fewer than $budget of them are nearer
    WITH f WHERE NOT f IN first
    RETURN collect(f) AS all_second
  }
  WITH start, first, all_second[..$budget - size(first)] AS second
  CALL (start, first, second) {
    UNWIND CASE WHEN $hops >= 3 AND size(first) + size(second) < $budget THEN second ELSE [] END AS near
    MATCH (near)-[:SUBJECT|OBJECT]->(e:Entity) WHERE NOT e IN start AND NOT EXISTS { (e)<-[:SUBJECT|OBJECT]-(f) WHERE f IN first }
    WITH DISTINCT e
    MATCH (e)<-[:SUBJECT|OBJECT]-(f:Fact)
    WHERE CASE WHEN $current_view THEN f.current ELSE f.recorded_at <= $known_at AND f.valid_from <= $as_of
      AND (f.current OR $include_retired OR f.retired_at > $known_at OR f.valid_to > $as_of) END
    WITH DISTINCT f ORDER BY f.recorded_at DESC, f.n DESC LIMIT 2 * $budget  // fewer than $budget of them are nearer
    WITH f WHERE NOT f IN first AND NOT f IN second
    RETURN collect(f) AS all_third
  }
  WITH first, second, all_third[..$budget - size(first) - size(second)] AS third
  RETURN [[f IN first | f.id], [f IN second | f.id], [f IN third | f.id]] AS walk
}
CALL (known) {
  CALL () {
    MATCH (e:Entity) USING INDEX SEEK e:Entity(id, scope)
      WHERE e.id IN $traversal AND e.scope IS NOT NULL AND e.user_id = coalesce($user_id, e.user_id)
      AND e.agent_id = coalesce($agent_id, e.agent_id) AND e.run_id = coalesce($run_id, e.run_id)
    RETURN collect(e) AS ends_1
  }
  CALL (ends_1, known) {
    UNWIND CASE WHEN $traversal_hops >= 1 AND NOT 'traversal' IN known THEN ends_1 ELSE [] END AS e
    MATCH (e)<-[:SUBJECT]-(f:Fact)
    WHERE CASE WHEN $current_view THEN f.current ELSE f.recorded_at <= $known_at AND f.valid_from <= $as_of
      AND (f.current OR $include_retired OR f.retired_at > $known_at OR f.valid_to > $as_of) END
    WITH e, collect(f) AS outgoing WHERE size(outgoing) <= $max_degree
    UNWIND outgoing AS f
    WITH f ORDER BY f.recorded_at DESC, f.n DESC LIMIT $traversal_budget
    RETURN collect(f) AS hop_1
  }
  CALL (ends_1, hop_1) {
    UNWIND hop_1 AS near MATCH (near)-[:OBJECT]->(e:Entity) WHERE NOT e IN ends_1
    RETURN collect(DISTINCT e) AS ends_2
  }
  CALL (ends_2) {
    UNWIND CASE WHEN $traversal_hops >= 2 THEN ends_2 ELSE [] END AS e
    MATCH (e)<-[:SUBJECT]-(f:Fact)
    WHERE CASE WHEN $current_view THEN f.current ELSE f.recorded_at <= $known_at AND f.valid_from <= $as_of
      AND (f.current OR $include_retired OR f.retired_at > $known_at OR f.valid_to > $as_of) END
    WITH e, collect(f) AS outgoing WHERE size(outgoing) <= $max_degree
    UNWIND outgoing AS f
    WITH f ORDER BY f.recorded_at DESC, f.n DESC LIMIT $traversal_budget
    RETURN collect(f) AS all_2
  }
  WITH hop_1, ends_1 + ends_2 AS seen_2, all_2[..$traversal_budget - size(hop_1)] AS hop_2
  CALL (seen_2, hop_2) {
    UNWIND hop_2 AS near MATCH (near)-[:OBJECT]->(e:Entity) WHERE NOT e IN seen_2
    RETURN collect(DISTINCT e) AS ends_3
  }
  CALL (ends_3) {
    UNWIND CASE WHEN $traversal_hops >= 3 THEN ends_3 ELSE [] END AS e
    MATCH (e)<-[:SUBJECT]-(f:Fact)
    WHERE CASE WHEN $current_view THEN f.current ELSE f.recorded_at <= $known_at AND f.valid_from <= $as_of
      AND (f.current OR $include_retired OR f.retired_at > $known_at OR f.valid_to > $as_of) END
    WITH e, collect(f) AS outgoing WHERE size(outgoing) <= $max_degree
    UNWIND outgoing AS f
    WITH f ORDER BY f.recorded_at DESC, f.n DESC LIMIT $traversal_budget
    RETURN collect(f) AS all_3
  }
  WITH hop_1, hop_2, seen_2 + ends_3 AS seen_3, all_3[..$traversal_budget - size(hop_1) - size(hop_2)] AS hop_3
  CALL (seen_3, hop_3) {
    UNWIND hop_3 AS near MATCH (near)-[:OBJECT]->(e:Entity) WHERE NOT e IN seen_3
    RETURN collect(DISTINCT e) AS ends_4
  }
  CALL (ends_4) {
    UNWIND CASE WHEN $traversal_hops >= 4 THEN ends_4 ELSE [] END AS e
    MATCH (e)<-[:SUBJECT]-(f:Fact)
    WHERE CASE WHEN $current_view THEN f.current ELSE f.recorded_at <= $known_at AND f.valid_from <= $as_of
      AND (f.current OR $include_retired OR f.retired_at > $known_at OR f.valid_to > $as_of) END
    WITH e, collect(f) AS outgoing WHERE size(outgoing) <= $max_degree
    UNWIND outgoing AS f
    WITH f ORDER BY f.recorded_at DESC, f.n DESC LIMIT $traversal_budget
    RETURN collect(f) AS all_4
  }
  WITH hop_1, hop_2, hop_3, all_4[..$traversal_budget - size(hop_1) - size(hop_2) - size(hop_3)] AS hop_4
  RETURN [f IN reverse(hop_1) + reverse(hop_2) + reverse(hop_3) + reverse(hop_4) | f.id] AS traversal
}
CALL (known) {
  UNWIND CASE WHEN $instruction_query = '' OR 'instructions' IN known THEN [] ELSE [$instruction_query] END AS text
  CALL db.index.fulltext.queryNodes('mem0g_fact_terms', text, {limit: $max_with_stem}) YIELD node AS f
  WITH f
  WHERE f.relation = $instruct AND CASE WHEN $current_view THEN f.current ELSE f.recorded_at <= $known_at AND f.valid_from <= $as_of
    AND (f.current OR $include_retired OR f.retired_at > $known_at OR f.valid_to > $as_of) END
  WITH f ORDER BY f.recorded_at DESC, f.n DESC LIMIT $instructions
  RETURN collect(f.id) AS instructions
}
OPTIONAL MATCH (store:Mem0g {id: 'store'})
RETURN near AS anchors, walk, traversal, instructions, known,
  near_messages + said_messages AS messages, near_passages + said_passages AS passages,
  near_facts + said_facts AS facts, store.embedder AS embedder, store.dimensions AS dimensions
