// A person at a glance
// Write another name to see another person, place or thing.
UNWIND $scopes AS scope
WITH scope, $person AS name
MATCH (p:Entity {scope: scope}) WHERE p.n IS NOT NULL AND (p.name = name OR name IN p.aliases)
MATCH (p)-[edge]-(other) WHERE edge.fact_id IS NOT NULL AND p <> other
RETURN p, edge, other ORDER BY edge.current DESC, edge.valid_from DESC LIMIT 60
