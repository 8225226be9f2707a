// The entities of these scopes with the most facts. Parameters: scopes, limit.
// Result: a row each, most facts first: name, type (the words given), facts (current and retired).
UNWIND $scopes AS scope
MATCH (e:Entity {scope: scope}) WHERE e.n IS NOT NULL
WITH e, COUNT { (e)<-[:SUBJECT|OBJECT]-() } AS facts WHERE facts > 0
RETURN e.name AS name, e.type AS type, facts ORDER BY facts DESC, name LIMIT $limit
