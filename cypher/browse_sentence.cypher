// The current fact of these scopes that most messages say, the latest of those. Parameters: scopes.
// Result: at most one row: text.
UNWIND $scopes AS scope
MATCH (f:Fact {scope: scope}) WHERE f.n IS NOT NULL AND f.current
RETURN f.text AS text ORDER BY size(f.evidence) DESC, f.n DESC LIMIT 1
