// Notes of one scope in the order in which they came, from after a number. Parameters: scope, after, limit.
// Result: a row each: note, n.
MATCH (note:Mem0gNote) WHERE note.scope = $scope AND note.n > $after
RETURN properties(note) AS note, note.n AS n ORDER BY note.n LIMIT $limit
