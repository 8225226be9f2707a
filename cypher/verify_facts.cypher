// Facts whose links do not match their properties. Reads all facts; for `mem0g verify` and `mem0g repair` only.
// Result: a row each fact with something wrong: id, scope, user_id, agent_id, run_id; relation, ended (valid_to as given),
// retired; ends (both are there), linked (one SUBJECT and one OBJECT, to these), labelled (:Retired as retired_at
// says), edges (how many there are between the ends), drawn (there is one, and it matches the fact); cited and gone:
// whether the EVIDENCE links are those of its evidence, and the ids of its evidence that are missing.
MATCH (f:Fact) WHERE f.scope IS NOT NULL AND f.n IS NOT NULL
CALL (f) {
  OPTIONAL MATCH (a:Entity {id: f.subject_id, scope: f.scope})
  OPTIONAL MATCH (entity:Entity {id: f.object_id, scope: f.scope})
  OPTIONAL MATCH (literal:Literal {id: f.object_id, scope: f.scope})
  RETURN a, coalesce(entity, literal) AS b
}
WITH f, a, b, f.retired_at < datetime('9999-01-01T00:00:00Z') AS retired,
  COLLECT { MATCH (f)-[:SUBJECT]->(e:Entity) RETURN e.id } = [f.subject_id]
    AND COLLECT { MATCH (f)-[:OBJECT]->(e:Entity|Literal) RETURN e.id } = [f.object_id] AS linked,
  COLLECT { MATCH (a)-[edge {fact_id: f.id}]->(b) RETURN edge.current = f.current AND edge.valid_from = f.valid_from
    AND edge.valid_to = f.valid_to } AS edges,
  COLLECT { MATCH (f)-[link:EVIDENCE]->(m:Message) WITH m ORDER BY link.place RETURN m.id } AS cited,
  COLLECT { UNWIND f.evidence AS id MATCH (m:Message {id: id, scope: f.scope}) RETURN id } AS here,
  COLLECT { UNWIND f.evidence AS id OPTIONAL MATCH (m:Message) USING INDEX SEEK m:Message(id, scope)
    WHERE m.id = id AND m.scope IS NOT NULL WITH id, m WHERE m IS NULL RETURN id } AS gone
WITH f, retired, linked, a IS NOT NULL AND b IS NOT NULL AS ends, size(edges) AS edges, edges = [true] AS drawn,
  f:Retired = retired AS labelled, cited = here AS cited, gone
WHERE NOT (ends AND linked AND drawn AND labelled AND cited AND size(gone) = 0)
RETURN f.id AS id, f.scope AS scope, f.user_id AS user_id, f.agent_id AS agent_id, f.run_id AS run_id,
  f.relation AS relation, f.valid_to_given AS ended, retired, ends, linked, labelled, edges, drawn, cited, gone
ORDER BY scope, f.n
