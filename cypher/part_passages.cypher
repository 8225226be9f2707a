// A label Passage that entities have from a type becomes Passage_: from layout 6 on it is one of mem0g's. Parameters: scopes.
MATCH (e:Entity) WHERE e.scope IN $scopes AND e.n IS NOT NULL AND e:Passage
REMOVE e:Passage SET e:Passage_, e.label = 'Passage_'
