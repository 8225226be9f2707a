// Messages of one scope that are, or might be, in passages, in the order written, after a number.
// Parameters: scope, after, limit; size: the length of a text from which it might be.
// Result: a row each: message, n; passages: the ids of its passages, in order.
MATCH (m:Message) WHERE m.scope = $scope AND m.n > $after
WITH m, COLLECT { MATCH (m)<-[:IN]-(p:Passage) WITH p ORDER BY p.start RETURN p.id } AS passages
WHERE size(m.text) > $size OR size(passages) > 0
WITH m, passages ORDER BY m.n LIMIT $limit
RETURN m {.id, .source, .session, .position, .speaker, .role, .text, .source_id, time: toString(m.time),
    recorded_at: toString(m.recorded_at)} AS message, m.n AS n, passages ORDER BY n
