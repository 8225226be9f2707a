// Set the embeddings of messages and passages that are stored without one.
// Parameters: scope; messages and passages, each a list of id and embedding.
CALL () {
  UNWIND $messages AS row
  MATCH (m:Message {id: row.id, scope: $scope}) WHERE m.embedding IS NULL
  RETURN m AS node, row.embedding AS embedding
  UNION ALL
  UNWIND $passages AS row
  MATCH (p:Passage {id: row.id, scope: $scope}) WHERE p.embedding IS NULL
  RETURN p AS node, row.embedding AS embedding
}
CALL db.create.setNodeVectorProperty(node, 'embedding', embedding)
