// What a database holds in which there is no graph of mem0's. No parameters.
// Result: one row: nodes, graphiti (whether graphiti wrote some), and mem0g (whether mem0g did).
RETURN
  COUNT { () } AS nodes,
  EXISTS { (:Entity)-[r:RELATES_TO]->(:Entity) WHERE r.fact IS NOT NULL AND r.group_id IS NOT NULL } AS graphiti,
  EXISTS { (f:Fact) WHERE f.scope IS NOT NULL } AS mem0g
