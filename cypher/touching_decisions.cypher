// Return the decisions of exactly one scope that have one of the given ids, are about one of the given facts or entities, or
// cite one of the given messages as evidence. Parameters: scope, ids, about (ids of facts and entities), citing (ids of
// messages). Result: one row per decision: decision; oldest first.
CALL () {
  UNWIND $ids AS id MATCH (d:Decision {id: id, scope: $scope}) RETURN d
  UNION
  UNWIND $about AS id MATCH (:Fact {id: id, scope: $scope})<-[:ABOUT]-(d:Decision) RETURN d
  UNION
  UNWIND $about AS id MATCH (:Entity {id: id, scope: $scope})<-[:ABOUT]-(d:Decision) RETURN d
  UNION
  UNWIND $citing AS id
  MATCH (d:Decision) WHERE d.scope = $scope AND d.n IS NOT NULL AND id IN d.evidence RETURN d
}
RETURN properties(d) AS decision ORDER BY d.n
