// Remove nodes of a scope for good, with their relationships and the edges of facts. Parameters: scope; facts, entities (or literals),
// messages (with their passages), decisions, records (outside the graph): ids of each. A session is removed with its last message.
MATCH (scope:Mem0gScope {scope: $scope})
CALL () {
  UNWIND $facts AS id
  MATCH (f:Fact {id: id, scope: $scope})
  MATCH (a:Entity)<-[:SUBJECT]-(f)-[:OBJECT]->(b)
  MATCH (a)-[edge {fact_id: f.id}]->(b)
  DELETE edge
}
CALL () {
  UNWIND $facts AS id MATCH (f:Fact {id: id, scope: $scope}) DETACH DELETE f
  RETURN count(f) AS gone_facts
}
CALL () {
  UNWIND $messages AS id MATCH (:Message {id: id, scope: $scope})<-[:IN]-(p:Passage) DETACH DELETE p
  RETURN count(p) AS gone_passages
}
CALL () {
  UNWIND $messages AS id MATCH (m:Message {id: id, scope: $scope})
  WITH m, m.session_id AS session
  DETACH DELETE m
  RETURN count(m) AS gone_messages, collect(DISTINCT session) AS sessions
}
CALL (sessions) {
  UNWIND sessions AS id
  MATCH (s:Session {id: id, scope: $scope}) WHERE NOT EXISTS { (s)<-[:IN]-(:Message) }
  DETACH DELETE s
}
CALL () {
  UNWIND $entities AS id MATCH (e:Entity {id: id, scope: $scope}) DETACH DELETE e
  RETURN count(e) AS gone_entities
}
CALL () {
  UNWIND $entities AS id MATCH (l:Literal {id: id, scope: $scope}) DETACH DELETE l
}
CALL () {
  UNWIND $decisions AS id MATCH (d:Decision {id: id, scope: $scope}) DETACH DELETE d
}
CALL () {
  UNWIND $records AS id MATCH (r:Mem0gRecord) WHERE r.scope = $scope AND r.id = id
  DETACH DELETE r
}
SET scope.messages = scope.messages - gone_messages, scope.passages = coalesce(scope.passages, 0) - gone_passages,
  scope.entities = scope.entities - gone_entities,
  scope.facts = scope.facts - gone_facts
