// Vector indexes without filters.
// Parameters: dimensions.
CREATE VECTOR INDEX mem0g_entity_embedding IF NOT EXISTS FOR (e:Entity) ON (e.embedding)
  OPTIONS {indexConfig: {`vector.dimensions`: $dimensions, `vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false}};
CREATE VECTOR INDEX mem0g_fact_embedding IF NOT EXISTS FOR (f:Fact) ON (f.embedding)
  OPTIONS {indexConfig: {`vector.dimensions`: $dimensions, `vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false}};
CREATE VECTOR INDEX mem0g_message_embedding IF NOT EXISTS FOR (m:Message) ON (m.embedding)
  OPTIONS {indexConfig: {`vector.dimensions`: $dimensions, `vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false}};
CREATE VECTOR INDEX mem0g_passage_embedding IF NOT EXISTS FOR (p:Passage) ON (p.embedding)
  OPTIONS {indexConfig: {`vector.dimensions`: $dimensions, `vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false}};
