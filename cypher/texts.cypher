// The texts of a scope that are embedded, in the order written, after a number: messages with their speaker,
// names of entities that are not merged away, sentences of facts. Parameters: scope, after, limit.
// Result: a row each: id, text, n.
CALL () {
  MATCH (m:Message) WHERE m.scope = $scope AND m.n > $after
  RETURN m.id AS id, m.speaker + ': ' + m.text AS text, m.n AS n ORDER BY n LIMIT $limit
  UNION
  MATCH (e:Entity) WHERE e.scope = $scope AND e.n > $after AND e.merged_into IS NULL
  RETURN e.id AS id, e.name AS text, e.n AS n ORDER BY n LIMIT $limit
  UNION
  MATCH (f:Fact) WHERE f.scope = $scope AND f.n > $after
  RETURN f.id AS id, f.text AS text, f.n AS n ORDER BY n LIMIT $limit
}
RETURN id, text, n ORDER BY n LIMIT $limit
