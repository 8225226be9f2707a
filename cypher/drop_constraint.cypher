// Drop one constraint with its index. Parameters: name.
DROP CONSTRAINT $name IF EXISTS
