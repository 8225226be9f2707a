// Counts over scopes. Parameters: scopes.
// Result: one row: messages, sessions, entities, facts, retired, first, last (times of messages), decisions (operation,
// count), relations (relation, count), records (label, count).
RETURN COUNT { MATCH (m:Message) WHERE m.scope IN $scopes AND m.n IS NOT NULL } AS messages,
  COUNT { MATCH (s:Session) WHERE s.scope IN $scopes AND s.n IS NOT NULL } AS sessions,
  COUNT { MATCH (e:Entity) WHERE e.scope IN $scopes AND e.n IS NOT NULL AND e.merged_into IS NULL } AS entities,
  COUNT { MATCH (f:Fact) WHERE f.scope IN $scopes AND f.n IS NOT NULL } AS facts,
  COUNT { MATCH (f:Fact) WHERE f.scope IN $scopes AND f.n IS NOT NULL AND NOT f.current } AS retired,
  COLLECT { MATCH (m:Message) WHERE m.scope IN $scopes AND m.n IS NOT NULL RETURN min(m.time) }[0] AS first,
  COLLECT { MATCH (m:Message) WHERE m.scope IN $scopes AND m.n IS NOT NULL RETURN max(m.time) }[0] AS last,
  COLLECT {
    MATCH (d:Decision) WHERE d.scope IN $scopes AND d.n IS NOT NULL
    WITH d.operation AS operation, count(*) AS times RETURN [operation, times] ORDER BY times DESC, operation
  } AS decisions,
  COLLECT {
    MATCH (f:Fact) WHERE f.scope IN $scopes AND f.n IS NOT NULL
    WITH f.relation AS relation, count(*) AS times RETURN [relation, times] ORDER BY times DESC, relation
  } AS relations,
  COLLECT {
    MATCH (r:Mem0gRecord) WHERE r.scope IN $scopes AND r.n IS NOT NULL AND r.done IS NULL
    UNWIND labels(r) AS label
    WITH label, count(*) AS times WHERE label <> 'Mem0gRecord' RETURN [label, times]
  } AS records
