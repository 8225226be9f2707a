// Those of the ids that are entities or literals. Parameters: ids. Result: a row each: id.
MATCH (e:Entity) USING INDEX SEEK e:Entity(id, scope)
  WHERE e.id IN $ids AND e.scope IS NOT NULL
RETURN e.id AS id
UNION
MATCH (l:Literal) USING INDEX SEEK l:Literal(id, scope)
  WHERE l.id IN $ids AND l.scope IS NOT NULL
RETURN l.id AS id
