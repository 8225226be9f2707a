// Delete the metadata of the store: relation types, layout, embedder, and the lock of its schema.
CALL () {
  MATCH (r:Mem0gRelation) WHERE r.name IS NOT NULL DETACH DELETE r
}
CALL () {
  MATCH (t:Mem0gTenant) WHERE t.scope IS NOT NULL DETACH DELETE t
}
CALL () {
  MATCH (l:Mem0gLock {id: 'schema'}) DETACH DELETE l
}
CALL () {
  MATCH (m:Mem0g {id: 'store'}) DETACH DELETE m
}
