// Give the facts of a relation, and their edges, another canonical name. Parameters: scopes, before, after, type: of the edge.
MATCH (f:Fact) WHERE f.scope IN $scopes AND f.n IS NOT NULL AND f.relation = $before
SET f.relation = $after
WITH f
MATCH (f)-[:SUBJECT]->(a) MATCH (f)-[:OBJECT]->(b)
MATCH (a)-[edge {fact_id: f.id}]->(b)
CREATE (a)-[renamed:$($type)]->(b)
SET renamed = properties(edge), renamed.caption = $after + substring(edge.caption, size($before))
DELETE edge
