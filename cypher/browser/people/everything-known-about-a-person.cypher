// All about a person
// Write another name to see another person, place or thing. Grey with a red rim: no longer true.
UNWIND $scopes AS scope
WITH scope, $person AS name
MATCH (p:Entity {scope: scope}) WHERE p.n IS NOT NULL AND (p.name = name OR name IN p.aliases)
MATCH (p)<-[about:SUBJECT|OBJECT]-(f:Fact)
WITH p, about, f ORDER BY f.n DESC LIMIT 60
OPTIONAL MATCH (f)-[why:SUPERSEDED_BY]->(next:Fact)
RETURN p, about, f, why, next
