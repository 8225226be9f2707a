// Vector indexes that can filter by the keys of a scope, and facts by whether they are current (Neo4j from 2026.02).
// Parameters: dimensions.
CYPHER 25 CREATE VECTOR INDEX mem0g_entity_embedding IF NOT EXISTS FOR (e:Entity) ON e.embedding
  WITH [e.user_id, e.agent_id, e.run_id]
  OPTIONS {indexConfig: {`vector.dimensions`: $dimensions, `vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false}};
CYPHER 25 CREATE VECTOR INDEX mem0g_fact_embedding IF NOT EXISTS FOR (f:Fact) ON f.embedding
  WITH [f.user_id, f.agent_id, f.run_id, f.current]
  OPTIONS {indexConfig: {`vector.dimensions`: $dimensions, `vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false}};
CYPHER 25 CREATE VECTOR INDEX mem0g_message_embedding IF NOT EXISTS FOR (m:Message) ON m.embedding
  WITH [m.user_id, m.agent_id, m.run_id]
  OPTIONS {indexConfig: {`vector.dimensions`: $dimensions, `vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false}};
CYPHER 25 CREATE VECTOR INDEX mem0g_passage_embedding IF NOT EXISTS FOR (p:Passage) ON p.embedding
  WITH [p.user_id, p.agent_id, p.run_id]
  OPTIONS {indexConfig: {`vector.dimensions`: $dimensions, `vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false}};
