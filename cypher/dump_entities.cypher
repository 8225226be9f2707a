// Entities and literals of one scope in the order written, after a number. Parameters: scope, after, limit.
// Result: a row each: entity with its embedding, n.
CALL () {
  MATCH (e:Entity) WHERE e.scope = $scope AND e.n > $after
  RETURN e, e.n AS n ORDER BY n LIMIT $limit
  UNION
  MATCH (e:Literal) WHERE e.scope = $scope AND e.n > $after
  RETURN e, e.n AS n ORDER BY n LIMIT $limit
}
RETURN properties(e) AS entity, n ORDER BY n LIMIT $limit
