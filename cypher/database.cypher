// The name of the current database. Result: one row: name.
CALL db.info() YIELD name RETURN name
