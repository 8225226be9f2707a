// Add notes whose kind and key are new in the scope; those that are there, struck out or not, stay as they are.
// Parameters: scope, user_id, agent_id, run_id ('' for a key not given); notes (kind, key, body, n from 1).
MERGE (s:Mem0gScope {scope: $scope})
ON CREATE SET s.user_id = $user_id, s.agent_id = $agent_id, s.run_id = $run_id, s.created_at = datetime(),
  s.n = 0, s.messages = 0, s.entities = 0, s.facts = 0
WITH s, s.n AS before
SET s.n = before + size($notes), s.written_at = datetime()
WITH before
UNWIND $notes AS row
MERGE (note:Mem0gNote {scope: $scope, kind: row.kind, key: row.key})
ON CREATE SET note.n = before + row.n, note.body = row.body
