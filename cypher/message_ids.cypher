// Messages by their ids in the source. Parameters: scopes, source_ids.
// Result: a row each: source_id, id; in the order in which they were written.
MATCH (m:Message) WHERE m.scope IN $scopes AND m.source_id IN $source_ids
RETURN m.source_id AS source_id, m.id AS id ORDER BY m.scope, m.n
