// Draw SUBJECT and OBJECT of facts anew, and the label :Retired, as the facts say. Parameters: facts, each with id, scope.
UNWIND $facts AS row
MATCH (f:Fact {id: row.id, scope: row.scope})
MATCH (a:Entity {id: f.subject_id, scope: f.scope})
MATCH (b:Entity {id: f.object_id, scope: f.scope})
CALL (f) { MATCH (f)-[link:SUBJECT|OBJECT]->() DELETE link }
CREATE (a)<-[:SUBJECT]-(f)-[:OBJECT]->(b)
REMOVE f:Retired
WITH f WHERE f.retired_at < datetime('9999-01-01T00:00:00Z')
SET f:Retired
