// The memory as of a date
// Write another day. Grey with a red rim: true on that day, but no longer.
UNWIND $scopes AS scope
WITH scope, datetime($day) + duration('P1D') AS night
MATCH (f:Fact {scope: scope}) WHERE f.n IS NOT NULL
  AND f.valid_from < night AND (f.current OR f.valid_to >= night)
WITH f ORDER BY f.valid_from DESC, f.n DESC LIMIT 80
MATCH (f)-[about:SUBJECT]->(who:Entity)
RETURN f, about, who
