// Replace notes by records of a label of their own. Parameters: rows (label, properties); ids, of the nodes of the notes.
CALL () {
  UNWIND $rows AS row
  CREATE (r:Mem0gRecord) SET r = row.properties, r:$(row.label)
}
CALL () {
  UNWIND $ids AS id MATCH (n:Mem0gNote) WHERE elementId(n) = id
  DETACH DELETE n
}
