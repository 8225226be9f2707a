// Take the lock of a scope for this transaction, which makes the scope where it is new, and say which ids it knows.
// Parameters: scope, user_id, agent_id, run_id ('' for a key not given), ids.
// Result: one row: n, the number given last in the scope; entities and facts, how many it holds; all_entities and all_facts, how
// many the database holds; known, the ids that are
// messages or decisions, or keys of windows that wait.
MERGE (s:Mem0gScope {scope: $scope})
ON CREATE SET s.user_id = $user_id, s.agent_id = $agent_id, s.run_id = $run_id, s.created_at = datetime(),
  s.n = 0, s.messages = 0, s.entities = 0, s.facts = 0
SET s.written_at = datetime()
WITH s
RETURN s.n AS n, s.entities AS entities, s.facts AS facts,
  COUNT { (:Entity) } AS all_entities, COUNT { (:Fact) } AS all_facts,
  COLLECT { UNWIND $ids AS id MATCH (m:Message {id: id, scope: $scope}) RETURN id }
  + COLLECT { UNWIND $ids AS id MATCH (d:Decision {id: id, scope: $scope}) RETURN id }
  + COLLECT { UNWIND $ids AS id MATCH (w:Mem0gNote {scope: $scope, kind: 'window', key: id}) WHERE w.body IS NOT NULL RETURN id }
  AS known
