// The facts of these scopes that were replaced last, among the thousand retired last.
// Parameters: scopes, limit.
// Result: a row each, latest first: subject (its name), relation, before, after (the two sentences), reason, decided_by,
// same_relation (whether that of both is one), ended and eve (the day on which the first stopped being true and the day
// before it, null where that is not known).
UNWIND $scopes AS scope
MATCH (old:Fact {scope: scope}) WHERE old.n IS NOT NULL AND NOT old.current
WITH old ORDER BY old.retired_at DESC, old.n DESC LIMIT 1000
MATCH (old)-[why:SUPERSEDED_BY]->(new:Fact)
MATCH (old)-[:SUBJECT]->(who:Entity)
WITH old, why, new, who, CASE WHEN old.valid_to_given IS NOT NULL THEN date(old.valid_to) END AS ended
RETURN who.name AS subject, old.relation AS relation, old.text AS before, new.text AS after, why.reason AS reason,
  why.decided_by AS decided_by, old.relation = new.relation AS same_relation,
  toString(ended) AS ended, toString(ended - duration('P1D')) AS eve
ORDER BY why.at DESC, old.n DESC LIMIT $limit
