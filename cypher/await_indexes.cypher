// Wait until all indexes are filled. Parameters: seconds, at most so long.
CALL db.awaitIndexes($seconds)
