// Lock a scope for this transaction, creating it if it is new, and return the state of the store.
// Parameters: scope, user_id, agent_id, run_id ('' for a key not given), ids; tenant (the scope of its first key), learns:
// whether to lock the tenant's relation types too; held: the version that is held in memory, '' if none is; sessions (ids).
// Result: one row: n, the last number assigned in the scope; version, its written_at before this transaction (null in a new one); entities and facts, the scope's counts; alone, whether its
// user has no other scope; all_entities and all_facts, the counts of the database; known, the ids that are messages, decisions or pending windows; embedder and
// dimensions of the store's vectors; made, when the store was created (null if another process has dropped it); vocabulary, the version of the tenant's relation types, '' if it has none; changes, the last
// ones (see versions.cypher), of another version than held only; positions, the greatest in each of the sessions that have any.
MERGE (s:Mem0gScope {scope: $scope})
ON CREATE SET s.user_id = $user_id, s.agent_id = $agent_id, s.run_id = $run_id, s.created_at = datetime(),
  s.n = 0, s.messages = 0, s.passages = 0, s.entities = 0, s.facts = 0
// The lock is taken first, by a property that nobody reads, so that the version read is the last one.
SET s.locked = rand()
WITH s, toString(s.written_at) AS version
// The clock has milliseconds: two writes of one differ in their nanoseconds. To count up, the old value would have to be read,
// for which the server takes two locks, and two writers a deadlock.
SET s.written_at = datetime() + duration({nanoseconds: toInteger(rand() * 1000000)})
WITH s, version
CALL () {
  UNWIND CASE WHEN $learns THEN [$tenant] ELSE [] END AS tenant
  MERGE (t:Mem0gTenant {scope: tenant}) ON CREATE SET t.vocabulary = '' SET t.written_at = datetime()
}
WITH s, version
OPTIONAL MATCH (store:Mem0g {id: 'store'})
OPTIONAL MATCH (t:Mem0gTenant {scope: $tenant})
RETURN store.embedder AS embedder, store.dimensions AS dimensions,
  CASE WHEN store IS NULL THEN null ELSE coalesce(toString(store.created_at), '') END AS made,
  coalesce(t.vocabulary, '') AS vocabulary,
  s.n AS n, version, s.entities AS entities, s.facts AS facts,
  CASE WHEN version = $held OR $held = '' THEN [] ELSE s.changes END AS changes,
  $user_id <> '' AND NOT EXISTS {
    MATCH (o:Mem0gScope) WHERE o.user_id = $user_id AND o.run_id STARTS WITH '' AND o.scope <> $scope
  } AS alone,
  COUNT { (:Entity) } AS all_entities, COUNT { (:Fact) } AS all_facts,
  COLLECT { UNWIND $ids AS id MATCH (m:Message {id: id, scope: $scope}) RETURN id }
  + COLLECT { UNWIND $ids AS id MATCH (d:Decision {id: id, scope: $scope}) RETURN id }
  + COLLECT { UNWIND $ids AS id MATCH (w:Mem0gPendingWindow {scope: $scope, id: id}) WHERE w.done IS NULL RETURN id }
  AS known,
  COLLECT {
    UNWIND $sessions AS session
    CALL (session) {
      MATCH (m:Message) WHERE m.session_id = session AND m.position IS NOT NULL
      RETURN m.position AS position ORDER BY position DESC LIMIT 1
    }
    RETURN [session, position]
  } AS positions
