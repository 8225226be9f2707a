// Remove missing messages from the evidence of facts and recreate the links to the others. Parameters: facts,
// each with id, scope, gone (ids of missing messages).
UNWIND $facts AS row
MATCH (f:Fact {id: row.id, scope: row.scope})
SET f.evidence = [id IN f.evidence WHERE NOT id IN row.gone]
WITH f
CALL (f) { MATCH (f)-[link:EVIDENCE]->() DELETE link }
CALL (f) {
  UNWIND range(0, size(f.evidence) - 1) AS place
  MATCH (m:Message {id: f.evidence[place], scope: f.scope})
  CREATE (f)-[:EVIDENCE {place: place}]->(m)
}
