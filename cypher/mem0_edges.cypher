// The relationships of a graph that mem0 1.x wrote, between named nodes with the ids of a scope. No parameters.
// Result: a row each: source and target (name, labels, user_id, agent_id, run_id), relation, created_at, updated_at,
// invalidated_at (milliseconds or a time) and valid, null where not set. Nodes of mem0g's own have a scope.
MATCH (a)-[r]->(b)
WHERE a.name IS NOT NULL AND b.name IS NOT NULL AND a.scope IS NULL AND b.scope IS NULL
  AND coalesce(a.user_id, a.agent_id, a.run_id) IS NOT NULL AND coalesce(b.user_id, b.agent_id, b.run_id) IS NOT NULL
RETURN
  a {.name, .user_id, .agent_id, .run_id, labels: labels(a)} AS source,
  b {.name, .user_id, .agent_id, .run_id, labels: labels(b)} AS target,
  type(r) AS relation, coalesce(r.created_at, r.created) AS created_at, r.updated_at AS updated_at,
  r.invalidated_at AS invalidated_at, r.valid AS valid
