// The facts and decisions of a scope that cite messages of other scopes that are to be forgotten. Parameters: scope, forgotten (scopes).
// Result: one row: facts (id, subject_id, object_id, evidence, left: the evidence that stays), decisions (their properties,
// and left).
CALL () {
  MATCH (f:Fact) WHERE f.scope = $scope AND f.n IS NOT NULL
  WITH f, [id IN f.evidence WHERE NOT EXISTS { MATCH (m:Message) WHERE m.id = id AND m.scope IN $forgotten }] AS left
  WHERE size(left) < size(f.evidence)
  RETURN collect(f {.id, .subject_id, .object_id, .evidence, .current, left: left}) AS facts
}
CALL () {
  MATCH (d:Decision) WHERE d.scope = $scope AND d.n IS NOT NULL
  WITH d, [id IN d.evidence WHERE NOT EXISTS { MATCH (m:Message) WHERE m.id = id AND m.scope IN $forgotten }] AS left
  WHERE size(left) < size(d.evidence)
  RETURN collect(d {.*, left: left}) AS decisions
}
RETURN facts, decisions
