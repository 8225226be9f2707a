// Drop one index. Parameters: name.
DROP INDEX $name IF EXISTS
