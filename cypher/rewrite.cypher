// Replace facts and decisions that were edited by hand. Parameters: scope; rows, a map of facts, successions, endings,
// decisions, each a list as mem0g.store.neo4j.rows makes it. The links and edge of a fact and the
// successions by which it was retired are recreated; its place in the order of recording is kept.
CALL () {
  UNWIND $rows.facts AS row
  MATCH (f:Fact {id: row.properties.id, scope: $scope})
  MATCH (a:Entity)<-[:SUBJECT]-(f)-[:OBJECT]->(b)
  MATCH (a)-[edge {fact_id: f.id}]->(b)
  DELETE edge
}
CALL () {
  UNWIND $rows.facts AS row
  MATCH (f:Fact {id: row.properties.id, scope: $scope})-[link:SUBJECT|OBJECT|EVIDENCE|SUPERSEDED_BY]->()
  DELETE link
}
CALL () {
  UNWIND $rows.facts AS row
  MATCH (f:Fact {id: row.properties.id, scope: $scope})
  MATCH (a:Entity {id: row.properties.subject_id, scope: $scope})
  OPTIONAL MATCH (entity:Entity {id: row.properties.object_id, scope: $scope})
  OPTIONAL MATCH (literal:Literal {id: row.properties.object_id, scope: $scope})
  WITH f, row, a, coalesce(entity, literal) AS b WHERE b IS NOT NULL
  REMOVE f:Retired, f.ended_reason, f.ended_by, f.ended_at, f.ended_n
  SET f += row.properties, f:$(row.labels)
  CREATE (a)<-[:SUBJECT]-(f)-[:OBJECT]->(b)
  CREATE (a)-[edge:$(row.type)]->(b) SET edge = row.edge, edge.valid_from = f.valid_from, edge.valid_to = f.valid_to
  WITH f, row
  CALL (f, row) {
    WITH f, row WHERE row.embedding IS NOT NULL
    CALL db.create.setNodeVectorProperty(f, 'embedding', row.embedding)
  }
  CALL (f, row) {
    UNWIND range(0, size(row.properties.evidence) - 1) AS place
    MATCH (m:Message {id: row.properties.evidence[place], scope: $scope})
    CREATE (f)-[:EVIDENCE {place: place}]->(m)
  }
}
CALL () {
  UNWIND $rows.successions AS row
  MATCH (old:Fact {id: row.fact_id, scope: $scope})
  MATCH (new:Fact {id: row.successor_id, scope: $scope})
  MERGE (old)-[link:SUPERSEDED_BY]->(new) ON CREATE SET link = row.properties
}
CALL () {
  UNWIND $rows.endings AS row
  MATCH (old:Fact {id: row.fact_id, scope: $scope}) WHERE old.ended_at IS NULL
  SET old += row.properties
}
CALL () {
  UNWIND $rows.decisions AS row
  MATCH (d:Decision {id: row.properties.id, scope: $scope})
  SET d += row.properties
}
CALL () {
  UNWIND $rows.decisions AS row
  MATCH (d:Decision {id: row.properties.id, scope: $scope})-[link:ABOUT]->()
  DELETE link
}
CALL () {
  UNWIND $rows.decisions AS row
  MATCH (d:Decision {id: row.properties.id, scope: $scope})
  CALL (d, row) {
    UNWIND row.about AS id MATCH (f:Fact {id: id, scope: $scope}) CREATE (d)-[:ABOUT]->(f)
  }
  CALL (d, row) {
    UNWIND row.about AS id MATCH (e:Entity {id: id, scope: $scope}) CREATE (d)-[:ABOUT]->(e)
  }
}
