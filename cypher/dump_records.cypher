// The records of a type and one scope, those that are done included, in the order in which they came, after a number.
// Parameters: label, of the type; scope, after, limit. Result: a row each: record, n.
MATCH (r:Mem0gRecord) WHERE r.scope = $scope AND r.n > $after AND $label IN labels(r)
RETURN properties(r) AS record, r.n AS n ORDER BY r.n LIMIT $limit
