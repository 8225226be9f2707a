// Remove mem0g's note of a scope. Parameters: scope.
MATCH (s:Mem0gScope {scope: $scope}) DETACH DELETE s
