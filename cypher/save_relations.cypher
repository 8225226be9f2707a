// Add relation types, or replace those of the same name. Parameters: relations (name, definition).
UNWIND $relations AS row
MERGE (r:Mem0gRelation {name: row.name}) SET r.definition = row.definition
