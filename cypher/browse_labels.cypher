// The labels of the entities of these scopes: each needs its own rule in Neo4j Browser's style.
// Parameters: scopes. Result: a row each, by name: label, entities.
UNWIND $scopes AS scope
MATCH (e:Entity {scope: scope}) WHERE e.n IS NOT NULL
UNWIND labels(e) AS label
WITH label, count(*) AS entities WHERE label <> 'Entity'
RETURN label, entities ORDER BY label
