// Entities, and the triples of all decisions about them or their facts. Parameters: scope, ids.
// Result: a row each: id, name, aliases, triples (JSON).
UNWIND $ids AS id
MATCH (e:Entity {id: id, scope: $scope})
RETURN e.id AS id, e.name AS name, e.aliases AS aliases,
  COLLECT { MATCH (d:Decision)-[:ABOUT]->(e) RETURN d.triple }
  + COLLECT { MATCH (d:Decision)-[:ABOUT]->(f:Fact)-[:SUBJECT|OBJECT]->(e) RETURN d.triple } AS triples
