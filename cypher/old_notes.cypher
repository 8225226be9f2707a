// Notes, the one form of all records outside the graph in layouts before 4, with the keys of their scopes.
// Parameters: limit. Result: a row each: id (of the node), note, user_id, agent_id, run_id.
MATCH (n:Mem0gNote) WHERE n.scope IS NOT NULL AND n.n IS NOT NULL
MATCH (s:Mem0gScope {scope: n.scope})
RETURN elementId(n) AS id, properties(n) AS note, s.user_id AS user_id, s.agent_id AS agent_id, s.run_id AS run_id LIMIT $limit
