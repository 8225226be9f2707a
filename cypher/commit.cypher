// Write one change: all rows in the order of Change's fields; existing nodes are kept as they are, except entities.
// Parameters: scope; n, the last number assigned in the scope; rows, a map of sessions, messages, entities, literals, facts, support,
// retirements, successions, endings, decisions and relations, each a list as mem0g.store.neo4j.rows makes it; tenant, vocabulary:
// the owner of the relation types, and the version they make; records and done, as mem0g.store.neo4j.records makes them;
// changed: version and ids, which are recorded for those who hold the scope in memory (see versions.cypher): that before this
// transaction, and the facts that are replaced; null if more is replaced than facts and entities, or removed.
// loaded: whether existing records outside the graph are kept as they are.
// Of messages, passages, entities, literals, facts and decisions, times are text, as mem0g.store.neo4j.rows.spelled makes them.
// Embeddings are set by a procedure that keeps them in single precision, in half the space.
// The first write to a scope locks the store's node, so that a reindex, which cannot see the scope before it is committed,
// waits for it.
// The server plans a query in time that grows with its text: what few changes have is written by others (merge, vectors of
// known messages), and one block serves all records.
// Result: one row: embedder, the store's embedder at the end; remerged, the ids of entities whose merged_into changed.
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
  CREATE (m:Message)-[:IN]->(s)
  SET m = row.properties, m.time = datetime(row.times.time), m.recorded_at = datetime(row.times.recorded_at)
  WITH m, row
  CALL (m, row) {
    UNWIND row.passages AS part
    CREATE (p:Passage)-[:IN]->(m) SET p = part.properties, p.recorded_at = datetime(part.times.recorded_at)
    RETURN collect([p, part.embedding]) AS parts
  }
  RETURN collect([m, row.embedding]) AS messages, collect(parts) AS passages
}
CALL () {
  UNWIND $rows.entities AS row
  MERGE (e:Entity {id: row.properties.id, scope: $scope})
  ON CREATE SET e.n = row.n, e.created_at = datetime(row.created_at), e.fresh = true
  WITH e, row, e.fresh AS fresh, coalesce(e.merged_into, '') AS merged,
    [label IN [e.label] WHERE NOT label IN ['', row.properties.label]] AS before
  REMOVE e:$(before), e.fresh
  SET e += row.properties, e.updated_at = datetime(row.times.updated_at), e:$(row.labels)
  RETURN collect([e, row.embedding]) AS entities, count(fresh) AS new_entities,
    collect(CASE WHEN fresh IS NULL THEN row.properties.id END) AS known_entities,
    collect(CASE WHEN merged <> coalesce(row.properties.merged_into, '') THEN row.properties.id END) AS remerged
}
CALL () {
  UNWIND $rows.literals AS row
  MERGE (l:Literal {id: row.properties.id, scope: $scope}) ON CREATE SET l += row.properties,
    l.created_at = datetime(row.times.created_at), l.updated_at = datetime(row.times.updated_at)
}
CALL () {
  UNWIND $rows.facts AS row
  OPTIONAL MATCH (old:Fact {id: row.properties.id, scope: $scope})
  WITH row WHERE old IS NULL
  MATCH (a:Entity {id: row.properties.subject_id, scope: $scope})
  OPTIONAL MATCH (entity:Entity {id: row.properties.object_id, scope: $scope})
  OPTIONAL MATCH (literal:Literal {id: row.properties.object_id, scope: $scope})
  WITH row, a, coalesce(entity, literal) AS b WHERE b IS NOT NULL
  CREATE (a)<-[:SUBJECT]-(f:Fact)-[:OBJECT]->(b)
  SET f = row.properties, f.valid_from = datetime(row.times.valid_from), f.valid_to = datetime(row.times.valid_to),
    f.said_at = datetime(row.times.said_at), f.recorded_at = datetime(row.times.recorded_at),
    f.retired_at = datetime(row.times.retired_at), f:$(row.labels)
  CREATE (a)-[edge:$(row.type)]->(b) SET edge = row.edge, edge.valid_from = f.valid_from, edge.valid_to = f.valid_to
  WITH f, row
  CALL (f, row) {
    UNWIND range(0, size(row.properties.evidence) - 1) AS place
    MATCH (m:Message {id: row.properties.evidence[place], scope: $scope})
    CREATE (f)-[:EVIDENCE {place: place}]->(m)
  }
  RETURN collect([f, row.embedding]) AS facts
}
CALL (messages, passages, entities, facts) {
  UNWIND reduce(all = messages + entities + facts, parts IN passages | all + parts) AS pair
  WITH pair[0] AS node, pair[1] AS embedding WHERE embedding IS NOT NULL
  CALL db.create.setNodeVectorProperty(node, 'embedding', embedding)
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
  WITH f, row, row.valid_from IS NOT NULL AND f.valid_from_given IS NULL AS begins,
    row.valid_to IS NOT NULL AND f.valid_to_given IS NULL AND f.current AS ends
  WHERE begins OR ends
  SET f.valid_to = CASE WHEN ends THEN row.valid_to
      WHEN f.current OR f.valid_to_given IS NOT NULL THEN f.valid_to ELSE row.valid_from END,
    f.valid_to_given = CASE WHEN ends THEN row.valid_to_given ELSE f.valid_to_given END,
    f.valid_from = CASE WHEN begins THEN row.valid_from ELSE f.valid_from END,
    f.valid_from_given = CASE WHEN begins THEN row.valid_from_given ELSE f.valid_from_given END
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
  CREATE (d:Decision) SET d = row.properties, d.at = datetime(row.times.at)
  WITH d, row
  UNWIND row.about AS id
  OPTIONAL MATCH (f:Fact {id: id, scope: $scope})
  OPTIONAL MATCH (e:Entity {id: id, scope: $scope})
  WITH d, coalesce(f, e) AS about WHERE about IS NOT NULL
  CREATE (d)-[:ABOUT]->(about)
}
CALL () {
  UNWIND $rows.relations AS row
  MERGE (t:Mem0gTenant {scope: $rows.tenant}) SET t.vocabulary = $rows.vocabulary
  MERGE (r:Mem0gRelation {scope: $rows.tenant, name: row.name}) SET r.definition = row.definition
}
CALL () {
  UNWIND $rows.records AS row
  MERGE (r:Mem0gRecord:$(row.label) {scope: $scope, id: row.id})
  ON CREATE SET r.n = row.n, r += row.properties
  ON MATCH SET r += CASE WHEN r.done OR $rows.loaded THEN {} ELSE row.properties END
}
CALL () {
  UNWIND $rows.done AS row
  MATCH (r:Mem0gRecord {scope: $scope, id: row.id}) WHERE row.label IN labels(r)
  SET r = {scope: r.scope, id: r.id, n: r.n, done: true}
}
CALL (scope) {
  WITH scope WHERE scope.n = 0
  MATCH (store:Mem0g {id: 'store'}) SET store.written_at = datetime()
}
SET scope.n = $n, scope.messages = scope.messages + size(messages),
  scope.passages = coalesce(scope.passages, 0) + reduce(sum = 0, parts IN passages | sum + size(parts)),
  scope.entities = scope.entities + new_entities, scope.facts = scope.facts + size(facts),
  scope.changes = CASE WHEN $changed.version IS NULL OR size($changed.ids) + size(known_entities) > 200 THEN [] ELSE
    coalesce(scope.changes, [])[-19..] + reduce(text = $changed.version + ' ' + toString(scope.written_at),
      id IN $changed.ids + known_entities | text + ' ' + id) END
WITH scope, remerged
OPTIONAL MATCH (store:Mem0g {id: 'store'})
RETURN store.embedder AS embedder, remerged
