// Set the derived properties of records: search terms and the instants that views compare.
// Parameters: messages, passages, entities (or literals), facts: each with id, scope, properties.
CALL () {
  UNWIND $messages AS row
  MATCH (m:Message {id: row.id, scope: row.scope}) SET m += row.properties
}
CALL () {
  UNWIND $passages AS row
  MATCH (p:Passage {id: row.id, scope: row.scope}) SET p += row.properties
}
CALL () {
  UNWIND $entities AS row
  MATCH (e:Entity {id: row.id, scope: row.scope}) SET e += row.properties
}
CALL () {
  UNWIND $entities AS row
  MATCH (l:Literal {id: row.id, scope: row.scope}) SET l += row.properties
}
CALL () {
  UNWIND $facts AS row
  MATCH (f:Fact {id: row.id, scope: row.scope}) SET f += row.properties
}
