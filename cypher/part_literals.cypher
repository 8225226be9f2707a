// Make literals of the entities of the type "literal", which meant nothing before layout 5; one that is the subject of a
// fact, has aliases or was merged stays an entity without a type. A label Literal from another type becomes Literal_.
// Parameters: scopes.
CALL () {
  MATCH (e:Entity) WHERE e.scope IN $scopes AND e.n IS NOT NULL AND e:Literal AND e.type <> 'literal'
  REMOVE e:Literal SET e:Literal_, e.label = 'Literal_'
}
CALL () {
  MATCH (e:Entity) WHERE e.scope IN $scopes AND e.n IS NOT NULL AND e:Literal
    AND (e.merged_into IS NOT NULL OR size(e.aliases) > 0 OR EXISTS { (e)<-[:SUBJECT|MERGED_INTO]-() })
  REMOVE e:Literal SET e.type = '', e.label = ''
}
MATCH (e:Entity) WHERE e.scope IN $scopes AND e.n IS NOT NULL AND e:Literal
REMOVE e:Entity, e.label, e.keys, e.names, e.tokens, e.embedding, e.merged_into
WITH e.scope AS scope, count(*) AS parted
MATCH (s:Mem0gScope {scope: scope}) SET s.entities = s.entities - parted
