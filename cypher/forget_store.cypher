// Delete the metadata of the store: relation types, layout, embedder.
CALL () {
  MATCH (r:Mem0gRelation) WHERE r.name IS NOT NULL DETACH DELETE r
}
CALL () {
  MATCH (t:Mem0gTenant) WHERE t.scope IS NOT NULL DETACH DELETE t
}
CALL () {
  MATCH (m:Mem0g {id: 'store'}) DETACH DELETE m
}
