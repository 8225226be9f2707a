// Decisions of one scope in the order taken, after a number. Parameters: scope, after, limit.
// Result: a row each: decision, n.
MATCH (d:Decision) WHERE d.scope = $scope AND d.n > $after
RETURN properties(d) AS decision, d.n AS n ORDER BY d.n LIMIT $limit
