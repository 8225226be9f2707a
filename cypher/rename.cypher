// Give entities the names that are left to them; one whose name is another loses the embedding of the old one. Decisions
// that would give the others back can be undone no more. Parameters: scope; renamed (id, name, aliases, names, tokens);
// before: what stands in these decisions from now on.
UNWIND $renamed AS row
MATCH (e:Entity {id: row.id, scope: $scope})
WITH e, row, CASE WHEN e.name = row.name THEN [] ELSE [e] END AS others
SET e.name = row.name, e.aliases = row.aliases, e.names = row.names, e.tokens = row.tokens
FOREACH (other IN others | REMOVE other.embedding)
WITH e
MATCH (d:Decision)-[:ABOUT]->(e) WHERE d.before CONTAINS '"entities"'
SET d.before = $before
