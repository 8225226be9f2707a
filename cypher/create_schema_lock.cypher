// Create the node that is locked while the schema changes, if there is none.
MERGE (l:Mem0gLock {id: 'schema'})
