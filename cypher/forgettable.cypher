// What forgetting these scopes removes from them. Parameters: scopes.
// Result: one row: messages, entities (without those merged into another), facts, retired, decisions, notes.
RETURN COUNT { MATCH (m:Message) WHERE m.scope IN $scopes AND m.n IS NOT NULL } AS messages,
  COUNT { MATCH (e:Entity) WHERE e.scope IN $scopes AND e.n IS NOT NULL AND e.merged_into IS NULL } AS entities,
  COUNT { MATCH (f:Fact) WHERE f.scope IN $scopes AND f.n IS NOT NULL } AS facts,
  COUNT { MATCH (f:Fact) WHERE f.scope IN $scopes AND f.n IS NOT NULL AND NOT f.current } AS retired,
  COUNT { MATCH (d:Decision) WHERE d.scope IN $scopes AND d.n IS NOT NULL } AS decisions,
  COUNT { MATCH (n:Mem0gNote) WHERE n.scope IN $scopes AND n.n IS NOT NULL AND n.body IS NOT NULL } AS notes
