// The version of the server and the metadata of the store in it.
// Result: one row: version, edition; layout, embedder, dimensions and made (when it was created) are null without a store.
CALL dbms.components() YIELD name, versions, edition
WITH versions[0] AS version, edition WHERE name = 'Neo4j Kernel'
OPTIONAL MATCH (m:Mem0g {id: 'store'})
RETURN version, edition, m.layout AS layout, m.embedder AS embedder, m.dimensions AS dimensions,
  CASE WHEN m IS NULL THEN null ELSE coalesce(toString(m.created_at), '') END AS made
