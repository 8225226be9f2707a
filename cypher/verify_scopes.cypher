// Scopes whose counters are wrong. Counts everything; for `mem0g verify` and `mem0g repair` only.
// Result: a row each: scope, user_id, agent_id, run_id.
MATCH (s:Mem0gScope)
WITH s, COUNT { MATCH (m:Message) WHERE m.scope = s.scope AND m.n IS NOT NULL } AS messages,
  COUNT { MATCH (p:Passage) WHERE p.scope = s.scope AND p.n IS NOT NULL } AS passages,
  COUNT { MATCH (e:Entity) WHERE e.scope = s.scope AND e.n IS NOT NULL } AS entities,
  COUNT { MATCH (f:Fact) WHERE f.scope = s.scope AND f.n IS NOT NULL } AS facts
WHERE s.messages <> messages OR coalesce(s.passages, 0) <> passages OR s.entities <> entities OR s.facts <> facts
RETURN s.scope AS scope, s.user_id AS user_id, s.agent_id AS agent_id, s.run_id AS run_id ORDER BY scope
