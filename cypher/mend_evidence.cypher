// Leave out of the evidence of facts what is nowhere, and link them anew to the messages of their scope. Parameters: facts,
// each with id, scope, gone (ids of messages that are nowhere).
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
