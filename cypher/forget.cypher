// Delete up to limit nodes of a scope with their relationships. Parameters: scope, limit.
// Result: one row: removed, the number of nodes deleted; 0 when none is left.
CALL () {
  MATCH (r:Mem0gRecord) WHERE r.scope = $scope AND r.n IS NOT NULL RETURN r AS node
  UNION
  MATCH (d:Decision) WHERE d.scope = $scope AND d.n IS NOT NULL RETURN d AS node
  UNION
  MATCH (f:Fact) WHERE f.scope = $scope AND f.n IS NOT NULL RETURN f AS node
  UNION
  MATCH (e:Entity) WHERE e.scope = $scope AND e.n IS NOT NULL RETURN e AS node
  UNION
  MATCH (l:Literal) WHERE l.scope = $scope AND l.n IS NOT NULL RETURN l AS node
  UNION
  MATCH (p:Passage) WHERE p.scope = $scope AND p.n IS NOT NULL RETURN p AS node
  UNION
  MATCH (m:Message) WHERE m.scope = $scope AND m.n IS NOT NULL RETURN m AS node
  UNION
  MATCH (s:Session) WHERE s.scope = $scope AND s.n IS NOT NULL RETURN s AS node
}
WITH node LIMIT $limit
DETACH DELETE node
RETURN count(*) AS removed
