// What the server is, and what mem0g noted of its store here.
// Result: one row: version, edition; layout, embedder, dimensions are null where mem0g was never.
CALL dbms.components() YIELD name, versions, edition
WITH versions[0] AS version, edition WHERE name = 'Neo4j Kernel'
OPTIONAL MATCH (m:Mem0g {id: 'store'})
RETURN version, edition, m.layout AS layout, m.embedder AS embedder, m.dimensions AS dimensions
