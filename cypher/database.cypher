// The database that answers. Result: one row: name.
CALL db.info() YIELD name RETURN name
