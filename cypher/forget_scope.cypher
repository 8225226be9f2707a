// Delete the node of a scope. Parameters: scope.
MATCH (s:Mem0gScope {scope: $scope}) DETACH DELETE s
