// The records of one scope beside the graph, those that are done included, in the order in which they came, from after a number.
// Parameters: scope, after, limit. Result: a row each: label, of the type; record; n.
MATCH (r:Mem0gRecord) WHERE r.scope = $scope AND r.n > $after
RETURN [label IN labels(r) WHERE label <> 'Mem0gRecord'][0] AS label, properties(r) AS record, r.n AS n ORDER BY r.n LIMIT $limit
