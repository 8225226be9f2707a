// The current fact of these scopes with the most messages as evidence; of several, the latest. Parameters: scopes.
// Result: at most one row: text.
UNWIND $scopes AS scope
MATCH (f:Fact {scope: scope}) WHERE f.n IS NOT NULL AND f.current
RETURN f.text AS text ORDER BY size(f.evidence) DESC, f.n DESC LIMIT 1
