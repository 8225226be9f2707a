// Notes of a kind that are not struck out, in the order in which they came; those of some keys, or all where keys is null.
// Parameters: kind, scopes, keys. Result: a row each: note.
CALL () {
  UNWIND CASE WHEN $keys IS NULL THEN $scopes ELSE [] END AS scope
  MATCH (n:Mem0gNote) WHERE n.scope = scope AND n.kind = $kind AND n.key IS NOT NULL
  RETURN n
  UNION
  UNWIND CASE WHEN $keys IS NULL THEN [] ELSE $scopes END AS scope
  MATCH (n:Mem0gNote) WHERE n.scope = scope AND n.kind = $kind AND n.key IN $keys
  RETURN n
}
WITH n WHERE n.body IS NOT NULL
RETURN properties(n) AS note ORDER BY n.scope, n.n
