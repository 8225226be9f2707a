// The records of a type outside the graph that are not done, in the order in which they came.
// Parameters: label, of the type; scopes; ids, those to return, or null for all. Result: a row each: record.
CALL () {
  UNWIND CASE WHEN $ids IS NULL THEN [] ELSE $scopes END AS scope
  MATCH (r:Mem0gRecord) WHERE r.scope = scope AND r.id IN $ids
  WITH r WHERE $label IN labels(r)
  RETURN r
  UNION
  UNWIND CASE WHEN $ids IS NULL AND $label = 'Mem0gPendingWindow' THEN $scopes ELSE [] END AS scope
  MATCH (r:Mem0gPendingWindow) WHERE r.scope = scope AND r.id IS NOT NULL
  RETURN r
  UNION
  UNWIND CASE WHEN $ids IS NULL AND $label = 'Mem0gModelCall' THEN $scopes ELSE [] END AS scope
  MATCH (r:Mem0gModelCall) WHERE r.scope = scope AND r.id IS NOT NULL
  RETURN r
  UNION
  UNWIND CASE WHEN $ids IS NULL AND $label = 'Mem0gModelReply' THEN $scopes ELSE [] END AS scope
  MATCH (r:Mem0gModelReply) WHERE r.scope = scope AND r.id IS NOT NULL
  RETURN r
  UNION
  UNWIND CASE WHEN $ids IS NULL AND $label = 'Mem0gSummary' THEN $scopes ELSE [] END AS scope
  MATCH (r:Mem0gSummary) WHERE r.scope = scope AND r.id IS NOT NULL
  RETURN r
  UNION
  UNWIND CASE WHEN $ids IS NULL AND $label = 'Mem0gReview' THEN $scopes ELSE [] END AS scope
  MATCH (r:Mem0gReview) WHERE r.scope = scope AND r.id IS NOT NULL
  RETURN r
  UNION
  UNWIND CASE WHEN $ids IS NULL AND $label = 'Mem0gReceipt' THEN $scopes ELSE [] END AS scope
  MATCH (r:Mem0gReceipt) WHERE r.scope = scope AND r.id IS NOT NULL
  RETURN r
}
WITH r WHERE r.done IS NULL
RETURN properties(r) AS record ORDER BY r.scope, r.n
