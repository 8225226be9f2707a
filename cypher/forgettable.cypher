// What forgetting these scopes removes from them. Parameters: scopes.
// Result: one row: messages, entities (without those merged into another), facts, retired, decisions, notes (records
// outside the graph that are not done).
RETURN COUNT { MATCH (m:Message) WHERE m.scope IN $scopes AND m.n IS NOT NULL } AS messages,
  COUNT { MATCH (e:Entity) WHERE e.scope IN $scopes AND e.n IS NOT NULL AND e.merged_into IS NULL } AS entities,
  COUNT { MATCH (f:Fact) WHERE f.scope IN $scopes AND f.n IS NOT NULL } AS facts,
  COUNT { MATCH (f:Fact) WHERE f.scope IN $scopes AND f.n IS NOT NULL AND NOT f.current } AS retired,
  COUNT { MATCH (d:Decision) WHERE d.scope IN $scopes AND d.n IS NOT NULL } AS decisions,
  COUNT { MATCH (r:Mem0gRecord) WHERE r.scope IN $scopes AND r.n IS NOT NULL AND r.done IS NULL } AS notes
