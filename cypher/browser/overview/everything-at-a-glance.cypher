// Everything at a glance
// Who and what, as true now.
UNWIND $scopes AS scope
MATCH (a:Entity {scope: scope}) WHERE a.n IS NOT NULL
MATCH (a)-[edge]->(b:Entity) WHERE edge.current AND a <> b
RETURN a, edge, b LIMIT 150
