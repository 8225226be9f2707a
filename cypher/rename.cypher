// Set the remaining names of entities; one whose main name changes loses its embedding. Decisions whose undoing would
// restore the removed names can no longer be undone. Parameters: scope; renamed (id, name, aliases, names, tokens);
// before: the new value of this property of these decisions.
UNWIND $renamed AS row
MATCH (e:Entity {id: row.id, scope: $scope})
WITH e, row, CASE WHEN e.name = row.name THEN [] ELSE [e] END AS others
SET e.name = row.name, e.aliases = row.aliases, e.names = row.names, e.tokens = row.tokens
FOREACH (other IN others | REMOVE other.embedding)
WITH e
MATCH (d:Decision)-[:ABOUT]->(e) WHERE d.before CONTAINS '"entities"'
SET d.before = $before
