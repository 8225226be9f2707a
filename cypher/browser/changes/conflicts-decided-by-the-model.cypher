// Conflicts decided
// By the model first, then by rule: each decision says by what. Where no model is in use, all are by rule.
UNWIND $scopes AS scope
MATCH (d:Decision {scope: scope}) WHERE d.n IS NOT NULL AND d.operation IN ['UPDATE', 'DELETE']
WITH d ORDER BY d.decided_by = 'rule', d.n DESC LIMIT 30
MATCH (d)-[about:ABOUT]->(f:Fact)
OPTIONAL MATCH (f)-[why:SUPERSEDED_BY]->(new:Fact)
RETURN d, about, f, why, new
