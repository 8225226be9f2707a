// Who knows whom
// And through what: the fifty people of whom most is known.
UNWIND $scopes AS scope
WITH scope, $people AS people
MATCH (a:Entity {scope: scope}) WHERE a.n IS NOT NULL AND any(label IN labels(a) WHERE label IN people)
WITH a, people ORDER BY COUNT { (a)--() } DESC LIMIT 50
MATCH path = (a) ((x:Entity)-[edge WHERE edge.current]-(y:Entity) WHERE x <> y){1,2} (b:Entity)
WHERE a.id < b.id AND any(label IN labels(b) WHERE label IN people)
RETURN path ORDER BY length(path) LIMIT 100
