// Replace the passages of messages; a message with passages has no vector.
// Parameters: scope; messages: each with id, keys (for full text; empty for one with passages) and passages, each
// with place (from 1, over all messages) and properties.
MATCH (scope:Mem0gScope {scope: $scope})
CALL () {
  UNWIND $messages AS row
  MATCH (:Message {id: row.id, scope: $scope})<-[:IN]-(p:Passage) DETACH DELETE p
  RETURN count(p) AS gone
}
CALL () {
  UNWIND $messages AS row
  MATCH (m:Message {id: row.id, scope: $scope})
  SET m.keys = row.keys
  WITH m, row WHERE size(row.passages) > 0
  REMOVE m.embedding
}
CALL (scope) {
  UNWIND $messages AS row
  MATCH (m:Message {id: row.id, scope: $scope})
  UNWIND row.passages AS part
  CREATE (p:Passage)-[:IN]->(m) SET p = part.properties, p.n = scope.n + part.place
  RETURN count(p) AS new
}
SET scope.n = scope.n + new, scope.passages = coalesce(scope.passages, 0) - gone + new
