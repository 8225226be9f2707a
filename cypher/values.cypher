// The different values of a field. Parameters: scopes; field: relation (of facts), type (of entities and literals that are not
// merged), speaker (of messages) or metadata (of messages and facts).
// Result: a row each: value.
CALL () {
  UNWIND CASE WHEN $field = 'relation' THEN $scopes ELSE [] END AS scope
  MATCH (f:Fact) WHERE f.scope = scope AND f.n IS NOT NULL
  RETURN DISTINCT f.relation AS value
  UNION
  UNWIND CASE WHEN $field = 'type' THEN $scopes ELSE [] END AS scope
  MATCH (e:Entity) WHERE e.scope = scope AND e.n IS NOT NULL AND e.merged_into IS NULL
  RETURN DISTINCT e.type AS value
  UNION
  UNWIND CASE WHEN $field = 'type' THEN $scopes ELSE [] END AS scope
  MATCH (l:Literal) WHERE l.scope = scope AND l.n IS NOT NULL
  RETURN DISTINCT l.type AS value
  UNION
  UNWIND CASE WHEN $field = 'speaker' THEN $scopes ELSE [] END AS scope
  MATCH (m:Message) WHERE m.scope = scope AND m.n IS NOT NULL
  RETURN DISTINCT m.speaker AS value
  UNION
  UNWIND CASE WHEN $field = 'metadata' THEN $scopes ELSE [] END AS scope
  MATCH (m:Message) WHERE m.scope = scope AND m.n IS NOT NULL AND m.metadata IS NOT NULL
  RETURN DISTINCT m.metadata AS value
  UNION
  UNWIND CASE WHEN $field = 'metadata' THEN $scopes ELSE [] END AS scope
  MATCH (f:Fact) WHERE f.scope = scope AND f.n IS NOT NULL AND f.metadata IS NOT NULL
  RETURN DISTINCT f.metadata AS value
}
RETURN value ORDER BY value
