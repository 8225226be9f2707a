// Recreate SUBJECT and OBJECT of facts and set the label :Retired, from the properties of the facts. Parameters: facts, each with id, scope.
UNWIND $facts AS row
MATCH (f:Fact {id: row.id, scope: row.scope})
MATCH (a:Entity {id: f.subject_id, scope: f.scope})
OPTIONAL MATCH (entity:Entity {id: f.object_id, scope: f.scope})
OPTIONAL MATCH (literal:Literal {id: f.object_id, scope: f.scope})
WITH f, a, coalesce(entity, literal) AS b WHERE b IS NOT NULL
CALL (f) { MATCH (f)-[link:SUBJECT|OBJECT]->() DELETE link }
CREATE (a)<-[:SUBJECT]-(f)-[:OBJECT]->(b)
REMOVE f:Retired
WITH f WHERE f.retired_at < datetime('9999-01-01T00:00:00Z')
SET f:Retired
