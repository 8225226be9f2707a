// Keep other writers of a tenant's relation types waiting until this transaction ends. Parameters: tenant.
MATCH (t:Mem0gTenant {scope: $tenant}) SET t.written_at = datetime()
