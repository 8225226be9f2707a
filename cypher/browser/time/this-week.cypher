// This week
// What was said in the latest seven days that the memory has, and what it changed.
UNWIND $scopes AS scope
MATCH (f:Fact {scope: scope}) WHERE f.n IS NOT NULL
WITH max(coalesce(f.said_at, f.recorded_at)) - duration('P7D') AS since
UNWIND $scopes AS scope
MATCH (f:Fact {scope: scope}) WHERE f.n IS NOT NULL AND coalesce(f.said_at, f.recorded_at) > since
WITH f ORDER BY f.n DESC LIMIT 60
MATCH (f)-[end:SUBJECT|OBJECT]->(e)
OPTIONAL MATCH (old:Fact)-[why:SUPERSEDED_BY]->(f)
RETURN f, end, e, why, old
