// Replace embeddings. Parameters: messages, passages, entities, facts: rows of id and embedding.
CALL () {
  UNWIND $messages AS row
  MATCH (m:Message) USING INDEX SEEK m:Message(id, scope)
    WHERE m.id = row.id AND m.scope IS NOT NULL
  CALL db.create.setNodeVectorProperty(m, 'embedding', row.embedding)
}
CALL () {
  UNWIND $entities AS row
  MATCH (e:Entity) USING INDEX SEEK e:Entity(id, scope)
    WHERE e.id = row.id AND e.scope IS NOT NULL
  CALL db.create.setNodeVectorProperty(e, 'embedding', row.embedding)
}
CALL () {
  UNWIND $facts AS row
  MATCH (f:Fact) USING INDEX SEEK f:Fact(id, scope)
    WHERE f.id = row.id AND f.scope IS NOT NULL
  CALL db.create.setNodeVectorProperty(f, 'embedding', row.embedding)
}
CALL () {
  UNWIND $passages AS row
  MATCH (p:Passage) USING INDEX SEEK p:Passage(id, scope)
    WHERE p.id = row.id AND p.scope IS NOT NULL
  CALL db.create.setNodeVectorProperty(p, 'embedding', row.embedding)
}
