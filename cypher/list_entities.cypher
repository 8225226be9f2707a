// Entities with the number of their current facts, most facts first. Parameters: scopes, limit, offset.
// Result: a row each: entity, facts.
MATCH (e:Entity) WHERE e.scope IN $scopes AND e.n IS NOT NULL AND e.merged_into IS NULL
WITH e, COUNT { MATCH (e)<-[:SUBJECT|OBJECT]-(f:Fact) WHERE f.current RETURN DISTINCT f } AS facts
ORDER BY facts DESC, e.name, e.id SKIP $offset LIMIT $limit
RETURN e {.id, .user_id, .agent_id, .run_id, .name, .type, .aliases, .merged_into,
    created_at: toString(e.created_at), updated_at: toString(e.updated_at)} AS entity, facts
