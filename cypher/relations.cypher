// The relation types of a tenant. Parameters: tenant.
// Result: one row: vocabulary (their version, '' where there are none) and definitions (JSON), by name.
OPTIONAL MATCH (t:Mem0gTenant {scope: $tenant})
RETURN coalesce(t.vocabulary, '') AS vocabulary, COLLECT {
  MATCH (r:Mem0gRelation) WHERE r.scope = $tenant AND r.name IS NOT NULL RETURN r.definition ORDER BY r.name
} AS definitions
