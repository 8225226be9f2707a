// Delete those of these entities and literals that no fact or decision refers to, with the entities that were merged into them and
// the decisions about these. Parameters: scope, ids. Result: one row: entities (without literals and those merged), decisions.
CALL () {
  UNWIND $ids AS id
  MATCH (e:Entity {id: id, scope: $scope})
  WHERE e.merged_into IS NULL AND NOT EXISTS { (e)<-[:SUBJECT|OBJECT|ABOUT]-() }
  RETURN collect(e) AS unused
}
CALL () {
  UNWIND $ids AS id
  MATCH (l:Literal {id: id, scope: $scope}) WHERE NOT EXISTS { (l)<-[:OBJECT]-() }
  DETACH DELETE l
}
CALL (unused) {
  UNWIND unused AS e
  MATCH (loser:Entity)-[:MERGED_INTO*]->(e)
  RETURN collect(DISTINCT loser) AS losers
}
CALL (losers) {
  UNWIND losers AS e
  MATCH (d:Decision)-[:ABOUT]->(e)
  WITH DISTINCT d
  DETACH DELETE d
  RETURN count(*) AS decisions
}
CALL (unused, losers) {
  UNWIND unused + losers AS e
  DETACH DELETE e
}
MATCH (s:Mem0gScope {scope: $scope})
SET s.entities = s.entities - size(unused) - size(losers)
RETURN size(unused) AS entities, decisions
