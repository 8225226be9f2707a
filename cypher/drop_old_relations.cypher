// Remove the relation types that layouts before 3 kept for all tenants together.
MATCH (r:Mem0gRelation) WHERE r.name IS NOT NULL AND r.scope IS NULL DETACH DELETE r
