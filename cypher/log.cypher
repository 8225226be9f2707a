// Decisions, latest first. Parameters: scopes, since, until (null for no bound; until is exclusive), limit, offset.
// Result: a row each: decision.
MATCH (d:Decision) WHERE d.scope IN $scopes AND d.n IS NOT NULL
  AND d.at >= coalesce($since, d.at) AND ($until IS NULL OR d.at < $until)
WITH d ORDER BY d.at DESC, d.scope DESC, d.n DESC SKIP $offset LIMIT $limit
RETURN properties(d) AS decision ORDER BY d.at DESC, d.scope DESC, d.n DESC
