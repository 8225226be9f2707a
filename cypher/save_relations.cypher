// Add relation types to those of a tenant, or replace those of the same name.
// Parameters: tenant, relations (name, definition), vocabulary: the version they make.
MERGE (t:Mem0gTenant {scope: $tenant}) SET t.vocabulary = $vocabulary
WITH t
UNWIND $relations AS row
MERGE (r:Mem0gRelation {scope: $tenant, name: row.name}) SET r.definition = row.definition
