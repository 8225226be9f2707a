// The texts of a scope that are embedded, in the order written, after a number: messages with their speaker, or the passages
// in which they are, names of entities that are not merged away, sentences of facts. Parameters: scope, after, limit.
// Result: a row each: id, text, n; of a message with passages, speaker, the whole text and passages (id, start, stop, heading).
CALL () {
  MATCH (m:Message) WHERE m.scope = $scope AND m.n > $after
  WITH m ORDER BY m.n LIMIT $limit
  WITH m, COLLECT { MATCH (m)<-[:IN]-(p:Passage) RETURN p {.id, .start, .stop, .heading} } AS passages
  RETURN m.id AS id, CASE WHEN size(passages) > 0 THEN m.text ELSE m.speaker + ': ' + m.text END AS text, m.n AS n,
    m.speaker AS speaker, passages
  UNION
  MATCH (e:Entity) WHERE e.scope = $scope AND e.n > $after AND e.merged_into IS NULL
  RETURN e.id AS id, e.name AS text, e.n AS n, '' AS speaker, [] AS passages ORDER BY n LIMIT $limit
  UNION
  MATCH (f:Fact) WHERE f.scope = $scope AND f.n > $after
  RETURN f.id AS id, f.text AS text, f.n AS n, '' AS speaker, [] AS passages ORDER BY n LIMIT $limit
}
RETURN id, text, n, speaker, passages ORDER BY n LIMIT $limit
