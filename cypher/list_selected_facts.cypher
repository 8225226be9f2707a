// Facts of a selection in the order in which they were recorded; all else is as in list_facts.
// Parameters: scopes, relations (all if empty), entities (ids of either end; all
// if empty), limit, offset; as_of, known_at, include_retired; the selection.
// The selection (see mem0g.store.queries.Selection), null for no condition: selected_relations; types, not_types; valid_since, valid_until,
// said_since, said_until, recorded_since, recorded_until; roles, speakers, metadata (texts, '' for none) and by_message,
// by_own_metadata, by_none.
// Result: a row each: fact.
MATCH (f:Fact) WHERE f.scope IN $scopes AND f.n IS NOT NULL
  AND (size($relations) = 0 OR f.relation IN $relations)
  AND (size($entities) = 0 OR f.subject_id IN $entities OR f.object_id IN $entities)
  AND f.recorded_at <= $known_at AND f.valid_from <= $as_of
  AND (f.current OR $include_retired OR f.retired_at > $known_at OR f.valid_to > $as_of)
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
WITH f ORDER BY f.recorded_at, f.scope, f.n SKIP $offset LIMIT $limit
MATCH (s:Entity)<-[:SUBJECT]-(f)-[:OBJECT]->(o)
RETURN f {.id, .user_id, .agent_id, .run_id, .subject_id, .relation, .relation_given, .object_id, .text, .current,
    .valid_from_given, .valid_to_given, .confidence, .evidence, .brief, .observed, .planned_for, .metadata,
    said_at: toString(f.said_at), recorded_at: toString(f.recorded_at), retired_at: toString(f.retired_at),
    subject: s.name, subject_type: s.type, object: o.name, object_type: o.type} AS fact ORDER BY f.recorded_at, f.scope, f.n
