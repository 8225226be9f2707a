// The version of the server and the metadata of the store in it.
// Result: one row: version, edition; layout, embedder, dimensions are null without a store.
CALL dbms.components() YIELD name, versions, edition
WITH versions[0] AS version, edition WHERE name = 'Neo4j Kernel'
OPTIONAL MATCH (m:Mem0g {id: 'store'})
RETURN version, edition, m.layout AS layout, m.embedder AS embedder, m.dimensions AS dimensions
