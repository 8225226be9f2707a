// Log entries of exactly one scope by id, by what they are about, or by their evidence. Parameters: scope, ids, about (facts
// and entities), citing (messages). Result: a row each: decision; in the order in which they were taken.
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
