// A fact with its evidence
// Write words of another fact. Pink are the messages that say it, dark is what was decided about it.
UNWIND $scopes AS scope
WITH scope, $words AS words
MATCH (f:Fact {scope: scope}) WHERE f.n IS NOT NULL AND toLower(f.text) CONTAINS toLower(words)
WITH f ORDER BY f.n DESC LIMIT 3
MATCH (f)-[end:SUBJECT|OBJECT]->(e)
OPTIONAL MATCH (f)-[says:EVIDENCE]->(m:Message)-[in:IN]->(s:Session)
OPTIONAL MATCH (d:Decision)-[about:ABOUT]->(f)
OPTIONAL MATCH (old:Fact)-[why:SUPERSEDED_BY]->(f)
RETURN f, end, e, says, m, in, s, d, about, old, why LIMIT 100
