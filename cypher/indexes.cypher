// All indexes of the database, mem0g's and others'.
// Result: a row each: name, type, labels, properties, state, percent, options, constraint (the one that has the index, null for none).
SHOW INDEXES YIELD name, type, labelsOrTypes, properties, state, populationPercent, options, owningConstraint
RETURN name, type, labelsOrTypes AS labels, properties, state, populationPercent AS percent, options, owningConstraint AS constraint
