// What changed, and why
// Red arrows lead from what was true to what replaced it and say why.
UNWIND $scopes AS scope
MATCH (old:Fact {scope: scope}) WHERE old.n IS NOT NULL AND NOT old.current
WITH old ORDER BY old.retired_at DESC, old.n DESC LIMIT 40
MATCH (old)-[about:SUBJECT]->(who:Entity)
OPTIONAL MATCH (old)-[why:SUPERSEDED_BY]->(new:Fact)
RETURN old, about, who, why, new
