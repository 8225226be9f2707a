// Those of the ids that are entities. Parameters: ids. Result: a row each: id.
MATCH (e:Entity) USING INDEX SEEK e:Entity(id, scope)
  WHERE e.id IN $ids AND e.scope IS NOT NULL
RETURN e.id AS id
