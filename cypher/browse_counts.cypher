// How much these scopes hold. Parameters: scopes.
// Result: one row: messages, sessions, entities, facts, retired; first, last, the days of the first and the last
// message that has a time (null without one).
CALL () {
  UNWIND $scopes AS scope
  MATCH (m:Message {scope: scope}) WHERE m.n IS NOT NULL
  RETURN count(*) AS messages, toString(date(min(m.time))) AS first, toString(date(max(m.time))) AS last
}
CALL () {
  UNWIND $scopes AS scope
  MATCH (s:Session {scope: scope}) WHERE s.n IS NOT NULL
  RETURN count(*) AS sessions
}
CALL () {
  UNWIND $scopes AS scope
  MATCH (e:Entity {scope: scope}) WHERE e.n IS NOT NULL AND e.merged_into IS NULL
  RETURN count(*) AS entities
}
CALL () {
  UNWIND $scopes AS scope
  MATCH (f:Fact {scope: scope}) WHERE f.n IS NOT NULL
  RETURN count(*) AS facts, sum(CASE WHEN f.current THEN 0 ELSE 1 END) AS retired
}
RETURN messages, sessions, entities, facts, retired, first, last
