// Create the missing MERGED_INTO relationships, whose end was written later than their start. Parameters: scope.
MATCH (loser:Entity) WHERE loser.scope = $scope AND loser.n IS NOT NULL AND loser.merged_into IS NOT NULL
MATCH (winner:Entity {id: loser.merged_into, scope: $scope})
MERGE (loser)-[:MERGED_INTO]->(winner)
