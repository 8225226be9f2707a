// How many facts of scopes each relation has. Parameters: scopes. Result: a row each, most first: relation, facts.
MATCH (f:Fact) WHERE f.scope IN $scopes AND f.n IS NOT NULL
RETURN f.relation AS relation, count(*) AS facts ORDER BY facts DESC, relation
