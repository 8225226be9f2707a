// The entities with one of these folded names, none merged away.
// Parameters: queries (full-text queries that ask for them within a scope), names. Result: a row each: entity, by id.
UNWIND $queries AS text
CALL db.index.fulltext.queryNodes('mem0g_entity_names', text) YIELD node
WITH DISTINCT node WHERE any(name IN node.names WHERE name IN $names)
RETURN node {.id, .user_id, .agent_id, .run_id, .name, .type, .aliases, .merged_into,
    created_at: toString(node.created_at), updated_at: toString(node.updated_at)} AS entity ORDER BY node.id
