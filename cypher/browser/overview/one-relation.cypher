// One relation
// Now and before: "until" behind its name says that it is true no longer.
UNWIND $scopes AS scope
MATCH (a:Entity {scope: scope})-[edge:$($relation)]->(b) WHERE a.n IS NOT NULL AND edge.fact_id IS NOT NULL
RETURN a, edge, b LIMIT 100
