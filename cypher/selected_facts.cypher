// Those of some facts that a selection has. Parameters: user_id, agent_id, run_id, ids; the selection.
// The selection (see mem0g.store.queries.Selection), null for no condition: selected_relations; types, not_types; valid_since, valid_until,
// said_since, said_until, recorded_since, recorded_until; roles, speakers, metadata (texts, '' for none) and by_message,
// by_own_metadata, by_none.
// Result: a row each: id.
MATCH (f:Fact) USING INDEX SEEK f:Fact(id, scope)
WHERE f.id IN $ids AND f.scope IS NOT NULL AND f.user_id = coalesce($user_id, f.user_id)
  AND f.agent_id = coalesce($agent_id, f.agent_id) AND f.run_id = coalesce($run_id, f.run_id)
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
RETURN f.id AS id
