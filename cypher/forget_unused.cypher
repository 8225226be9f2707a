// Delete those of these entities that no fact or decision refers to, with the entities that were merged into them and
// the decisions about these. Parameters: scope, ids. Result: one row: entities (without those merged), decisions.
CALL () {
  UNWIND $ids AS id
  MATCH (e:Entity {id: id, scope: $scope})
  WHERE e.merged_into IS NULL AND NOT EXISTS { (e)<-[:SUBJECT|OBJECT|ABOUT]-() }
  RETURN collect(e) AS unused
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
