// Write one change: all rows in the order of Change's fields; existing nodes are kept as they are, except entities.
// Parameters: scope; n, the last number assigned in the scope; rows, a map of sessions, messages, entities, literals, facts, support,
// retirements, merges, successions, endings, decisions, relations, embeddings and passage_embeddings (of known messages
// and passages without one), each a list as mem0g.store.neo4j.rows makes it; tenant, vocabulary: the owner of the relation types, and the version they make;
// windows, calls, replies, summaries, reviews, receipts, and done_windows, done_replies, done_reviews, as
// mem0g.store.neo4j.records makes them; loaded: whether existing records outside the graph are kept as they are.
// Embeddings are set by a procedure that keeps them in single precision, in half the space.
// The first write to a scope locks the store's node, so that a reindex, which cannot see the scope before it is committed,
// waits for it.
// Result: one row: embedder, the store's embedder at the end.
MATCH (scope:Mem0gScope {scope: $scope})
CALL () {
  UNWIND $rows.sessions AS row
  MERGE (s:Session {id: row.id, scope: $scope}) ON CREATE SET s += row
}
CALL () {
  UNWIND $rows.messages AS row
  OPTIONAL MATCH (old:Message {id: row.properties.id, scope: $scope})
  WITH row WHERE old IS NULL
  MATCH (s:Session {id: row.properties.session_id, scope: $scope})
  CREATE (m:Message)-[:IN]->(s) SET m = row.properties
  WITH m, row
  CALL (m, row) {
    WITH m, row WHERE row.embedding IS NOT NULL
    CALL db.create.setNodeVectorProperty(m, 'embedding', row.embedding)
  }
  CALL (m, row) {
    UNWIND row.passages AS part
    CREATE (p:Passage)-[:IN]->(m) SET p = part.properties
    WITH p, part WHERE part.embedding IS NOT NULL
    CALL db.create.setNodeVectorProperty(p, 'embedding', part.embedding)
  }
  RETURN count(m) AS new_messages, sum(size(row.passages)) AS new_passages
}
CALL () {
  UNWIND $rows.entities AS row
  MERGE (e:Entity {id: row.properties.id, scope: $scope})
  ON CREATE SET e.n = row.n, e.created_at = row.created_at, e.fresh = true
  WITH e, row, e.fresh AS fresh, [label IN [e.label] WHERE NOT label IN ['', row.properties.label]] AS before
  REMOVE e:$(before), e.fresh
  SET e += row.properties, e:$(row.labels)
  WITH e, row, fresh
  CALL (e, row) {
    WITH e, row WHERE row.embedding IS NOT NULL
    CALL db.create.setNodeVectorProperty(e, 'embedding', row.embedding)
  }
  RETURN sum(CASE WHEN fresh THEN 1 ELSE 0 END) AS new_entities
}
CALL () {
  UNWIND $rows.entities AS row
  WITH row WHERE row.properties.merged_into IS NOT NULL
  MATCH (loser:Entity {id: row.properties.id, scope: $scope})
  MATCH (winner:Entity {id: row.properties.merged_into, scope: $scope})
  MERGE (loser)-[:MERGED_INTO]->(winner)
}
CALL () {
  UNWIND $rows.entities AS row
  MATCH (e:Entity {id: row.properties.id, scope: $scope})-[merged:MERGED_INTO]->(other:Entity)
    USING INDEX SEEK e:Entity(id, scope)
    WHERE other.id <> coalesce(row.properties.merged_into, '')
  DELETE merged
}
CALL () {
  UNWIND $rows.literals AS row
  MERGE (l:Literal {id: row.properties.id, scope: $scope}) ON CREATE SET l += row.properties
}
CALL () {
  UNWIND $rows.facts AS row
  OPTIONAL MATCH (old:Fact {id: row.properties.id, scope: $scope})
  WITH row WHERE old IS NULL
  MATCH (a:Entity {id: row.properties.subject_id, scope: $scope})
  OPTIONAL MATCH (entity:Entity {id: row.properties.object_id, scope: $scope})
  OPTIONAL MATCH (literal:Literal {id: row.properties.object_id, scope: $scope})
  WITH row, a, coalesce(entity, literal) AS b WHERE b IS NOT NULL
  CREATE (a)<-[:SUBJECT]-(f:Fact)-[:OBJECT]->(b) SET f = row.properties, f:$(row.labels)
  CREATE (a)-[edge:$(row.type)]->(b) SET edge = row.edge
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
  RETURN count(f) AS new_facts
}
CALL () {
  UNWIND $rows.support AS row
  MATCH (f:Fact {id: row.fact_id, scope: $scope})
  WITH f, row, [id IN row.evidence WHERE NOT id IN f.evidence] AS more, size(f.evidence) AS have
  CALL (f, more, have) {
    UNWIND range(0, size(more) - 1) AS place
    MATCH (m:Message {id: more[place], scope: $scope})
    CREATE (f)-[:EVIDENCE {place: have + place}]->(m)
  }
  SET f.evidence = f.evidence + more, f.planned_for = coalesce(f.planned_for, row.planned_for),
    f.metadata = coalesce(row.metadata, f.metadata),
    f.observed = CASE WHEN row.observed > coalesce(f.observed, '') THEN row.observed ELSE f.observed END
  WITH f, row WHERE row.valid_from IS NOT NULL AND f.valid_from_given IS NULL
  SET f.valid_from = row.valid_from, f.valid_from_given = row.valid_from_given,
    f.valid_to = CASE WHEN f.current OR f.valid_to_given IS NOT NULL THEN f.valid_to ELSE row.valid_from END
  WITH f
  MATCH (f)-[:SUBJECT]->(a) MATCH (f)-[:OBJECT]->(b)
  MATCH (a)-[edge {fact_id: f.id}]->(b)
  SET edge.valid_from = f.valid_from, edge.valid_to = f.valid_to
}
CALL () {
  UNWIND $rows.retirements AS row
  MATCH (f:Fact {id: row.fact_id, scope: $scope}) WHERE f.current
  SET f:Retired, f.current = false, f.retired_at = row.retired_at, f.keys = row.keys,
    f.valid_to = coalesce(row.valid_to, f.valid_from), f.valid_to_given = row.valid_to_given
  WITH f, row
  MATCH (f)-[:SUBJECT]->(a) MATCH (f)-[:OBJECT]->(b)
  MATCH (a)-[edge {fact_id: f.id}]->(b)
  SET edge.current = false, edge.valid_to = f.valid_to, edge.caption = f.relation + row.until
}
CALL () {
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
  OPTIONAL MATCH (old:Decision {id: row.properties.id, scope: $scope})
  WITH row WHERE old IS NULL
  CREATE (d:Decision) SET d = row.properties
  WITH d, row
  CALL (d, row) {
    UNWIND row.about AS id MATCH (f:Fact {id: id, scope: $scope}) CREATE (d)-[:ABOUT]->(f)
  }
  CALL (d, row) {
    UNWIND row.about AS id
    MATCH (e:Entity {id: id, scope: $scope}) USING INDEX SEEK e:Entity(id, scope)
    CREATE (d)-[:ABOUT]->(e)
  }
}
CALL () {
  UNWIND $rows.relations AS row
  MERGE (r:Mem0gRelation {scope: $rows.tenant, name: row.name}) SET r.definition = row.definition
}
CALL () {
  UNWIND CASE WHEN size($rows.relations) > 0 THEN [$rows.tenant] ELSE [] END AS tenant
  MERGE (t:Mem0gTenant {scope: tenant}) SET t.vocabulary = $rows.vocabulary
}
CALL () {
  UNWIND $rows.embeddings AS row
  MATCH (m:Message {id: row.id, scope: $scope}) WHERE m.embedding IS NULL
  CALL db.create.setNodeVectorProperty(m, 'embedding', row.embedding)
}
CALL () {
  UNWIND $rows.passage_embeddings AS row
  MATCH (p:Passage {id: row.id, scope: $scope}) WHERE p.embedding IS NULL
  CALL db.create.setNodeVectorProperty(p, 'embedding', row.embedding)
}
CALL () {
  UNWIND $rows.windows AS row
  MERGE (r:Mem0gPendingWindow {scope: $scope, id: row.id})
  ON CREATE SET r:Mem0gRecord, r.n = row.n, r += row.properties
  ON MATCH SET r += CASE WHEN r.done OR $rows.loaded THEN {} ELSE row.properties END
}
CALL () {
  UNWIND $rows.calls AS row
  MERGE (r:Mem0gModelCall {scope: $scope, id: row.id})
  ON CREATE SET r:Mem0gRecord, r.n = row.n, r += row.properties
  ON MATCH SET r += CASE WHEN r.done OR $rows.loaded THEN {} ELSE row.properties END
}
CALL () {
  UNWIND $rows.replies AS row
  MERGE (r:Mem0gModelReply {scope: $scope, id: row.id})
  ON CREATE SET r:Mem0gRecord, r.n = row.n, r += row.properties
  ON MATCH SET r += CASE WHEN r.done OR $rows.loaded THEN {} ELSE row.properties END
}
CALL () {
  UNWIND $rows.summaries AS row
  MERGE (r:Mem0gSummary {scope: $scope, id: row.id})
  ON CREATE SET r:Mem0gRecord, r.n = row.n, r += row.properties
  ON MATCH SET r += CASE WHEN r.done OR $rows.loaded THEN {} ELSE row.properties END
}
CALL () {
  UNWIND $rows.reviews AS row
  MERGE (r:Mem0gReview {scope: $scope, id: row.id})
  ON CREATE SET r:Mem0gRecord, r.n = row.n, r += row.properties
  ON MATCH SET r += CASE WHEN r.done OR $rows.loaded THEN {} ELSE row.properties END
}
CALL () {
  UNWIND $rows.receipts AS row
  MERGE (r:Mem0gReceipt {scope: $scope, id: row.id})
  ON CREATE SET r:Mem0gRecord, r.n = row.n, r += row.properties
  ON MATCH SET r += CASE WHEN r.done OR $rows.loaded THEN {} ELSE row.properties END
}
CALL () {
  UNWIND $rows.done_windows AS row
  MATCH (r:Mem0gPendingWindow {scope: $scope, id: row.id})
  SET r = {scope: r.scope, id: r.id, n: r.n, done: true}
}
CALL () {
  UNWIND $rows.done_replies AS row
  MATCH (r:Mem0gModelReply {scope: $scope, id: row.id})
  SET r = {scope: r.scope, id: r.id, n: r.n, done: true}
}
CALL () {
  UNWIND $rows.done_reviews AS row
  MATCH (r:Mem0gReview {scope: $scope, id: row.id})
  SET r = {scope: r.scope, id: r.id, n: r.n, done: true}
}
CALL (scope) {
  WITH scope WHERE scope.n = 0
  MATCH (store:Mem0g {id: 'store'}) SET store.written_at = datetime()
}
SET scope.n = $n, scope.messages = scope.messages + new_messages,
  scope.passages = coalesce(scope.passages, 0) + new_passages, scope.entities = scope.entities + new_entities,
  scope.facts = scope.facts + new_facts
WITH scope
OPTIONAL MATCH (store:Mem0g {id: 'store'})
RETURN store.embedder AS embedder
