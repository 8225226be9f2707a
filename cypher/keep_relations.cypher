// Remove all relation types of a tenant but these; where none is left, the note of the tenant too.
// Parameters: tenant, relations (name, definition), vocabulary: the version they make.
CALL () {
  MATCH (r:Mem0gRelation) WHERE r.scope = $tenant AND r.name IS NOT NULL DETACH DELETE r
}
CALL () {
  UNWIND $relations AS row
  CREATE (r:Mem0gRelation {scope: $tenant, name: row.name, definition: row.definition})
}
MATCH (t:Mem0gTenant {scope: $tenant})
SET t.vocabulary = $vocabulary
WITH t WHERE size($relations) = 0
DETACH DELETE t
