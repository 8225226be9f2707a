// Merges
// Names that turned out to mean the same.
UNWIND $scopes AS scope
MATCH (d:Decision {scope: scope}) WHERE d.n IS NOT NULL AND d.operation = 'MERGE'
WITH d ORDER BY d.n DESC LIMIT 50
MATCH (d)-[about:ABOUT]->(e)
OPTIONAL MATCH (e)-[merged:MERGED_INTO]->(into:Entity)
RETURN d, about, e, merged, into
