// The types of the edges between the entities of these scopes, and how many of each are retired.
// Parameters: scopes. Result: a row each, by name: type, edges, retired.
UNWIND $scopes AS scope
MATCH (e:Entity {scope: scope}) WHERE e.n IS NOT NULL
MATCH (e)-[edge]->() WHERE edge.fact_id IS NOT NULL
RETURN type(edge) AS type, count(*) AS edges, sum(CASE WHEN edge.current THEN 0 ELSE 1 END) AS retired ORDER BY type
