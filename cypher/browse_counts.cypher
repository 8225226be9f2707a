// How much these scopes hold. Parameters: scopes.
// Result: one row: messages, sessions, entities, facts, retired; first, last, the days of the first and the last
// message that has a time (null without one).
CALL () {
  MATCH (m:Message) WHERE m.scope IN $scopes AND m.n IS NOT NULL
  RETURN count(*) AS messages, toString(date(min(m.time))) AS first, toString(date(max(m.time))) AS last
}
CALL () {
  MATCH (f:Fact) WHERE f.scope IN $scopes AND f.n IS NOT NULL
  RETURN count(*) AS facts, sum(CASE WHEN f.current THEN 0 ELSE 1 END) AS retired
}
RETURN messages, first, last, facts, retired,
  COUNT { (s:Session) WHERE s.scope IN $scopes AND s.n IS NOT NULL } AS sessions,
  COUNT { (e:Entity) WHERE e.scope IN $scopes AND e.n IS NOT NULL AND e.merged_into IS NULL } AS entities
