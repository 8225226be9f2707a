// Lock the schema until this transaction ends: no other process of mem0g changes it meanwhile.
// Two processes may each have created a node, as no constraint is there yet: the order keeps them from a deadlock.
MATCH (l:Mem0gLock {id: 'schema'})
WITH l ORDER BY elementId(l)
SET l.locked_at = datetime()
