// Messages of one scope in the order written, after a number. Parameters: scope, after, limit.
// Result: a row each: message with its embedding, n.
MATCH (m:Message) WHERE m.scope = $scope AND m.n > $after
RETURN properties(m) AS message, m.n AS n ORDER BY m.n LIMIT $limit
