// Delete the edges of facts and create one for each fact from its properties. Parameters: facts, each with id, scope, type (of the
// edge), caption; leftover: edges without a fact, each with fact_id, subject, object, scope.
CALL () {
  UNWIND $leftover AS row
  MATCH (a:Entity {id: row.subject, scope: row.scope})-[edge {fact_id: row.fact_id}]->({id: row.object})
  DELETE edge
}
CALL () {
  UNWIND $facts AS row
  MATCH (f:Fact {id: row.id, scope: row.scope})
  MATCH (a:Entity {id: f.subject_id, scope: f.scope})
  OPTIONAL MATCH (entity:Entity {id: f.object_id, scope: f.scope})
  OPTIONAL MATCH (literal:Literal {id: f.object_id, scope: f.scope})
  WITH f, row, a, coalesce(entity, literal) AS b WHERE b IS NOT NULL
  CALL (f, a, b) { MATCH (a)-[edge {fact_id: f.id}]->(b) DELETE edge }
  CREATE (a)-[drawn:$(row.type)]->(b)
  SET drawn = {fact_id: f.id, current: f.current, valid_from: f.valid_from, valid_to: f.valid_to, caption: row.caption}
}
