// Delete the facts and decisions of a scope that have only forgotten messages as evidence, and the links to such messages
// from those that are kept.
// Parameters: scope; facts and decisions: ids of those to be removed; links: facts that stay (id, evidence); unlinked:
// decisions that stay (id, evidence, targets, reason); reason: why a fact ended whose successor is removed.
CALL () {
  UNWIND $links AS row
  MATCH (f:Fact {id: row.id, scope: $scope}) SET f.evidence = row.evidence
}
CALL () {
  UNWIND $unlinked AS row
  MATCH (d:Decision {id: row.id, scope: $scope})
  SET d.evidence = row.evidence, d.targets = row.targets, d.reason = row.reason, d.before = '{}'
}
CALL () {
  UNWIND $decisions AS id
  MATCH (d:Decision {id: id, scope: $scope}) DETACH DELETE d
}
CALL () {
  UNWIND $facts AS id
  MATCH (old:Fact)-[link:SUPERSEDED_BY]->(:Fact {id: id, scope: $scope})
  WHERE NOT old.id IN $facts AND old.ended_at IS NULL
  SET old.ended_reason = $reason, old.ended_by = link.decided_by, old.ended_at = link.at, old.ended_n = link.n
}
CALL () {
  UNWIND $facts AS id
  MATCH (f:Fact {id: id, scope: $scope})
  MATCH (f)-[:SUBJECT]->(:Entity)-[edge {fact_id: f.id}]->()
  DELETE edge
}
CALL () {
  UNWIND $facts AS id
  MATCH (f:Fact {id: id, scope: $scope}) DETACH DELETE f
}
MATCH (s:Mem0gScope {scope: $scope}) SET s.facts = s.facts - size($facts)
