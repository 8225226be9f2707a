// Facts of one scope in the order written, after a number. Parameters: scope, after, limit.
// Result: a row each: fact with its embedding, n.
MATCH (f:Fact) WHERE f.scope = $scope AND f.n > $after
WITH f ORDER BY f.n LIMIT $limit
MATCH (s:Entity)<-[:SUBJECT]-(f)-[:OBJECT]->(o)
RETURN f {.*, subject: s.name, subject_type: s.type, object: o.name, object_type: o.type} AS fact, f.n AS n ORDER BY f.n
