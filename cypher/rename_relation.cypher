// Give the facts of a relation, and their edges, another canonical name. Parameters: scopes, before, after, type: of the edge.
MATCH (f:Fact) WHERE f.scope IN $scopes AND f.n IS NOT NULL AND f.relation = $before
SET f.relation = $after
WITH f
MATCH (a:Entity {id: f.subject_id, scope: f.scope})-[edge {fact_id: f.id}]->(b:Entity {id: f.object_id, scope: f.scope})
CREATE (a)-[renamed:$($type)]->(b)
SET renamed = properties(edge), renamed.caption = $after + substring(edge.caption, size($before))
DELETE edge
