// Link entities to those that they were merged into, and move the facts of the entities that a change merges.
// Parameters: scope; rows, a map of entities (id, merged_into: null where a merge was undone) and merges (loser, winner).
CALL () {
  UNWIND $rows.entities AS row
  MATCH (e:Entity {id: row.id, scope: $scope})-[merged:MERGED_INTO]->(other:Entity)
    USING INDEX SEEK e:Entity(id, scope)
    WHERE other.id <> coalesce(row.merged_into, '')
  DELETE merged
}
CALL () {
  UNWIND $rows.entities AS row
  WITH row WHERE row.merged_into IS NOT NULL
  MATCH (loser:Entity {id: row.id, scope: $scope})
  MATCH (winner:Entity {id: row.merged_into, scope: $scope})
  MERGE (loser)-[:MERGED_INTO]->(winner)
}
UNWIND $rows.merges AS row
MATCH (loser:Entity {id: row.loser, scope: $scope})
MATCH (winner:Entity {id: row.winner, scope: $scope})
CALL (loser, winner) {
  MATCH (loser)<-[link:SUBJECT]-(f:Fact)
  CREATE (f)-[:SUBJECT]->(winner) SET f.subject_id = winner.id DELETE link
}
CALL (loser, winner) {
  MATCH (loser)<-[link:OBJECT]-(f:Fact)
  CREATE (f)-[:OBJECT]->(winner) SET f.object_id = winner.id DELETE link
}
CALL (loser, winner) {
  MATCH (loser)-[edge]->(b) WHERE edge.fact_id IS NOT NULL
  CREATE (winner)-[moved:$(type(edge))]->(b) SET moved = properties(edge) DELETE edge
}
CALL (loser, winner) {
  MATCH (a:Entity)-[edge]->(loser) WHERE edge.fact_id IS NOT NULL
  CREATE (a)-[moved:$(type(edge))]->(winner) SET moved = properties(edge) DELETE edge
}
MERGE (loser)-[:MERGED_INTO]->(winner)
SET loser.merged_into = winner.id REMOVE loser.embedding, loser.names, loser.tokens
