// Entities of one scope in the order written, after a number. Parameters: scope, after, limit.
// Result: a row each: entity with its embedding, n.
MATCH (e:Entity) WHERE e.scope = $scope AND e.n > $after
RETURN properties(e) AS entity, e.n AS n ORDER BY e.n LIMIT $limit
