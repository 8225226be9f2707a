// The relation types that layouts before 3 kept for all tenants together. Result: a row each: definition (JSON), by name.
MATCH (r:Mem0gRelation) WHERE r.name IS NOT NULL AND r.scope IS NULL
RETURN r.definition AS definition ORDER BY r.name
