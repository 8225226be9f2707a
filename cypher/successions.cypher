// The successions that facts are part of, as the old or the new one. Parameters: user_id, agent_id, run_id, ids.
// Result: a row each: fact_id, successor_id (null: it only ended), reason, decided_by, at; in order of time.
MATCH (f:Fact) USING INDEX SEEK f:Fact(id, scope)
  WHERE f.id IN $ids AND f.scope IS NOT NULL AND f.user_id = coalesce($user_id, f.user_id) AND f.agent_id = coalesce($agent_id, f.agent_id)
  AND f.run_id = coalesce($run_id, f.run_id)
CALL (f) {
  MATCH (f)-[s:SUPERSEDED_BY]->(new:Fact)
  RETURN f.id AS fact_id, new.id AS successor_id, s.reason AS reason, s.decided_by AS decided_by, s.at AS at, s.n AS n
  UNION
  MATCH (old:Fact)-[s:SUPERSEDED_BY]->(f)
  RETURN old.id AS fact_id, f.id AS successor_id, s.reason AS reason, s.decided_by AS decided_by, s.at AS at, s.n AS n
  UNION
  WITH f WHERE f.ended_at IS NOT NULL
  RETURN f.id AS fact_id, null AS successor_id, f.ended_reason AS reason, f.ended_by AS decided_by, f.ended_at AS at,
    f.ended_n AS n
}
RETURN DISTINCT fact_id, successor_id, reason, decided_by, at, n ORDER BY at, n
