// The relation types that this database adds. Result: a row each: definition (JSON), by name.
MATCH (r:Mem0gRelation) WHERE r.name IS NOT NULL
RETURN r.definition AS definition ORDER BY r.name
