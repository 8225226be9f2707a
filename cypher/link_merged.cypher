// Draw MERGED_INTO where the entity it leads to was written later. Parameters: scope.
MATCH (loser:Entity) WHERE loser.scope = $scope AND loser.n IS NOT NULL AND loser.merged_into IS NOT NULL
MATCH (winner:Entity {id: loser.merged_into, scope: $scope})
MERGE (loser)-[:MERGED_INTO]->(winner)
