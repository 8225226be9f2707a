// Recompute the counters of scopes. Parameters: scopes.
MATCH (s:Mem0gScope) WHERE s.scope IN $scopes
SET s.messages = COUNT { MATCH (m:Message) WHERE m.scope = s.scope AND m.n IS NOT NULL },
  s.passages = COUNT { MATCH (p:Passage) WHERE p.scope = s.scope AND p.n IS NOT NULL },
  s.entities = COUNT { MATCH (e:Entity) WHERE e.scope = s.scope AND e.n IS NOT NULL },
  s.facts = COUNT { MATCH (f:Fact) WHERE f.scope = s.scope AND f.n IS NOT NULL }
