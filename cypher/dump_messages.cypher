// Messages of one scope in the order written, after a number. Parameters: scope, after, limit.
// Result: a row each: message with its embedding, n; passages with theirs, in order.
MATCH (m:Message) WHERE m.scope = $scope AND m.n > $after
WITH m ORDER BY m.n LIMIT $limit
RETURN properties(m) AS message, m.n AS n,
  COLLECT { MATCH (m)<-[:IN]-(p:Passage) WITH p ORDER BY p.start RETURN properties(p) } AS passages
ORDER BY n
