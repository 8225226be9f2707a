// Rows to hold in memory: those with some numbers, in any order. Times are microseconds since 1970.
// Parameters: parts, each with scope, after and upto, the numbers of its rows.
// Result: one row: facts, messages, passages, entities and literals, each a list as mem0g.store.neo4j.held reads it; the last of each
// is the vector, or null.
RETURN COLLECT {
  UNWIND $parts AS part
  MATCH (f:Fact) USING INDEX SEEK f:Fact(scope, n) WHERE f.scope = part.scope AND part.after < f.n <= part.upto
  WITH properties(f) AS f
  RETURN [f.scope, f.n, f.id, f.subject_id, f.relation, f.relation_given, f.object_id, f.text, f.valid_from_given,
    f.valid_to_given, f.said_at.epochSeconds * 1000000 + f.said_at.microsecond,
    f.recorded_at.epochSeconds * 1000000 + f.recorded_at.microsecond,
    f.retired_at.epochSeconds * 1000000 + f.retired_at.microsecond, f.confidence, f.brief, f.observed, f.planned_for,
    f.metadata, f.evidence, f.current, f.valid_from.epochSeconds * 1000000 + f.valid_from.microsecond,
    f.valid_to.epochSeconds * 1000000 + f.valid_to.microsecond, f.terms, f.embedding]
} AS facts,
COLLECT {
  UNWIND $parts AS part
  MATCH (m:Message) USING INDEX SEEK m:Message(scope, n) WHERE m.scope = part.scope AND part.after < m.n <= part.upto
  WITH properties(m) AS m
  RETURN [m.scope, m.n, m.id, m.source, m.session, m.position, m.speaker, m.role, m.text,
    m.time.epochSeconds * 1000000 + m.time.microsecond, m.source_id,
    m.recorded_at.epochSeconds * 1000000 + m.recorded_at.microsecond, m.metadata, m.utc_offset, m.keys <> '', m.terms,
    m.embedding]
} AS messages,
COLLECT {
  UNWIND $parts AS part
  MATCH (p:Passage) USING INDEX SEEK p:Passage(scope, n) WHERE p.scope = part.scope AND part.after < p.n <= part.upto
  RETURN [p.scope, p.n, p.id, p.message_id, p.start, p.stop, p.heading, p.terms,
    p.embedding]
} AS passages,
COLLECT {
  UNWIND $parts AS part
  MATCH (e:Entity) USING INDEX SEEK e:Entity(scope, n) WHERE e.scope = part.scope AND part.after < e.n <= part.upto
  RETURN [e.scope, e.n, e.id, e.name, e.type, e.merged_into, e.aliases,
    e.created_at.epochSeconds * 1000000 + e.created_at.microsecond,
    e.updated_at.epochSeconds * 1000000 + e.updated_at.microsecond, e.names, e.embedding]
} AS entities,
COLLECT {
  UNWIND $parts AS part
  MATCH (l:Literal) USING INDEX SEEK l:Literal(scope, n) WHERE l.scope = part.scope AND part.after < l.n <= part.upto
  RETURN [l.scope, l.n, l.id, l.name, l.type, null, l.aliases, 0, 0, null, null]
} AS literals
