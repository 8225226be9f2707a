// The rows of a search: of the messages, passages and facts found before, of the messages of the passages, and of the facts that
// cite the messages; and the turns around all of these.
// Parameters: messages, passages, facts (ids); others (ids of facts whose turns are not wanted); most_citing: the maximum of
// facts that cite the messages; radius: turns on each side; vectors: of the question; as_of, known_at, include_retired;
// all_messages: whether all messages are visible; keep: whether embeddings and citing are wanted, to answer other searches from.
// A row of a message, a passage or a fact is a list, named by of_messages, of_passages and of_facts: names in each would be most
// of what is sent. The properties of a node are read at once: one by one, each reads all before it.
// Result: one row: citing (ids of the facts that cite the messages), facts (all, each once, with similarities, subject and
// object), messages (with similarities, outdated, and citing: time, n and id of the visible facts that cite it), passages (with
// similarities; their messages are there too), turns (one list a session, in any order: scope, source and name of the session;
// of each of its turns id, position, terms, and whether it has metadata).
CALL () {
  MATCH (p:Passage) USING INDEX SEEK p:Passage(id, scope)
    WHERE p.id IN $passages AND p.scope IS NOT NULL
  RETURN collect(p) AS found_passages
}
CALL (found_passages) {
  CALL (found_passages) {
    MATCH (m:Message) USING INDEX SEEK m:Message(id, scope)
      WHERE m.id IN $messages AND m.scope IS NOT NULL
    RETURN m
    UNION
    UNWIND found_passages AS p
    MATCH (p)-[:IN]->(m:Message)
    RETURN m
  }
  CALL (m) {
    OPTIONAL MATCH (m)<-[:EVIDENCE]-(f:Fact)
    WITH collect(f) AS told, collect(CASE WHEN f.recorded_at <= $known_at AND f.valid_from <= $as_of
        AND (f.current OR $include_retired OR f.retired_at > $known_at OR f.valid_to > $as_of) THEN f END) AS citing
    RETURN CASE citing WHEN [] THEN trim(reduce(all = '', f IN told | all + f.terms + ' ')) ELSE '' END AS outdated, citing
  }
  RETURN collect({message: m, outdated: outdated, citing: citing}) AS found_messages, collect(citing) AS all_citing
}
CALL (all_citing) {
  UNWIND all_citing AS cited UNWIND cited AS f
  WITH DISTINCT f ORDER BY f.recorded_at DESC, f.n DESC LIMIT $most_citing
  RETURN collect(f) AS citing_facts
}
CALL (citing_facts) {
  CALL (citing_facts) {
    MATCH (f:Fact) USING INDEX SEEK f:Fact(id, scope)
      WHERE f.id IN $facts AND f.scope IS NOT NULL
    RETURN f
    UNION
    UNWIND citing_facts AS f
    RETURN f
  }
  RETURN collect(f) AS found_facts
}
CALL (found_messages, found_facts) {
  CALL (found_messages, found_facts) {
    UNWIND found_messages AS each RETURN each.message AS at
    UNION
    UNWIND found_facts AS f MATCH (f)-[:EVIDENCE]->(at:Message) RETURN at
  }
  WITH at.session_id AS session_id, at.position AS place
  MATCH (near:Message) USING INDEX SEEK near:Message(session_id, position)
    WHERE near.session_id = session_id AND place - $radius <= near.position <= place + $radius
    AND ($all_messages OR coalesce(near.recorded_at, near.time, $known_at) <= $known_at)
  WITH DISTINCT session_id, near
  WITH session_id, head(collect(near)) AS one, collect([near.id, near.position, near.terms, near.metadata IS NOT NULL]) AS said
  RETURN collect([one.scope, one.source, one.session, said]) AS turns
}
CALL () {
  MATCH (f:Fact) USING INDEX SEEK f:Fact(id, scope)
    WHERE f.id IN $others AND f.scope IS NOT NULL
  RETURN collect(f) AS other_facts
}
RETURN turns, [f IN citing_facts | f.id] AS citing,
  ['id', 'source', 'session', 'position', 'speaker', 'role', 'text', 'source_id', 'metadata', 'time', 'recorded_at',
    'utc_offset', 'terms', 'outdated', 'similarities', 'embedding', 'citing'] AS of_messages,
  COLLECT {
    UNWIND found_messages AS each WITH each.outdated AS outdated, each.citing AS citing, properties(each.message) AS m
    RETURN [m.id, m.source, m.session, m.position, m.speaker, m.role, m.text, m.source_id, m.metadata, toString(m.time),
      toString(m.recorded_at), m.utc_offset, m.terms, outdated,
      [v IN $vectors | 1.5 - 0.5 / vector.similarity.euclidean(m.embedding, v)],
      CASE WHEN $keep THEN m.embedding END, CASE WHEN $keep THEN
        [f IN citing | [f.recorded_at.epochSeconds, f.recorded_at.nanosecond, f.n, f.id]] END]
  } AS messages,
  ['id', 'message_id', 'start', 'stop', 'heading', 'terms', 'similarities', 'embedding'] AS of_passages,
  COLLECT {
    UNWIND found_passages AS passage WITH properties(passage) AS p
    RETURN [p.id, p.message_id, p.start, p.stop, p.heading, p.terms,
      [v IN $vectors | 1.5 - 0.5 / vector.similarity.euclidean(p.embedding, v)],
      CASE WHEN $keep THEN p.embedding END]
  } AS passages,
  ['id', 'user_id', 'agent_id', 'run_id', 'subject_id', 'relation', 'relation_given', 'object_id', 'text', 'current',
    'valid_from_given', 'valid_to_given', 'confidence', 'evidence', 'brief', 'observed', 'planned_for', 'metadata', 'said_at',
    'recorded_at', 'retired_at', 'subject', 'subject_type', 'object', 'object_type', 'terms', 'similarities', 'embedding']
    AS of_facts,
  COLLECT {
    UNWIND found_facts + other_facts AS fact WITH DISTINCT fact MATCH (s:Entity)<-[:SUBJECT]-(fact)-[:OBJECT]->(o)
    WITH s, o, properties(fact) AS f
    RETURN [f.id, f.user_id, f.agent_id, f.run_id, f.subject_id, f.relation, f.relation_given, f.object_id, f.text, f.current,
      f.valid_from_given, f.valid_to_given, f.confidence, f.evidence, f.brief, f.observed, f.planned_for, f.metadata,
      toString(f.said_at), toString(f.recorded_at), toString(f.retired_at), s.name, s.type, o.name, o.type, f.terms,
      [v IN $vectors | 1.5 - 0.5 / vector.similarity.euclidean(f.embedding, v)],
      CASE WHEN $keep THEN f.embedding END]
  } AS facts
