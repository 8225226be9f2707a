// The relation names that the facts of scopes use. Parameters: scopes; without: ids of facts that do not count.
// Result: a row each: relation (canonical), given (the words of the triple); the first recorded first.
MATCH (f:Fact) WHERE f.scope IN $scopes AND f.n IS NOT NULL AND NOT f.id IN $without
WITH f.relation AS relation, f.relation_given AS given, min(f.recorded_at) AS first, min(f.n) AS n
RETURN relation, given ORDER BY first, n
