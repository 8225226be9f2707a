// Constraints and indexes that need no embedder. The constraints hold only for nodes that have both id and scope: mem0g's.
// A row each: the id finds a node; scope and n list a scope in the order in which it was written.
CREATE CONSTRAINT mem0g_entity_id IF NOT EXISTS FOR (e:Entity) REQUIRE (e.id, e.scope) IS UNIQUE;
CREATE CONSTRAINT mem0g_literal_id IF NOT EXISTS FOR (l:Literal) REQUIRE (l.id, l.scope) IS UNIQUE;
CREATE CONSTRAINT mem0g_fact_id IF NOT EXISTS FOR (f:Fact) REQUIRE (f.id, f.scope) IS UNIQUE;
CREATE CONSTRAINT mem0g_message_id IF NOT EXISTS FOR (m:Message) REQUIRE (m.id, m.scope) IS UNIQUE;
CREATE CONSTRAINT mem0g_passage_id IF NOT EXISTS FOR (p:Passage) REQUIRE (p.id, p.scope) IS UNIQUE;
CREATE CONSTRAINT mem0g_session_id IF NOT EXISTS FOR (s:Session) REQUIRE (s.id, s.scope) IS UNIQUE;
CREATE CONSTRAINT mem0g_decision_id IF NOT EXISTS FOR (d:Decision) REQUIRE (d.id, d.scope) IS UNIQUE;
CREATE CONSTRAINT mem0g_store IF NOT EXISTS FOR (m:Mem0g) REQUIRE m.id IS UNIQUE;
CREATE CONSTRAINT mem0g_scope IF NOT EXISTS FOR (s:Mem0gScope) REQUIRE s.scope IS UNIQUE;
CREATE CONSTRAINT mem0g_tenant IF NOT EXISTS FOR (t:Mem0gTenant) REQUIRE t.scope IS UNIQUE;
CREATE CONSTRAINT mem0g_tenant_relation IF NOT EXISTS FOR (r:Mem0gRelation) REQUIRE (r.scope, r.name) IS UNIQUE;
CREATE CONSTRAINT mem0g_pending_window IF NOT EXISTS FOR (r:Mem0gPendingWindow) REQUIRE (r.scope, r.id) IS UNIQUE;
CREATE CONSTRAINT mem0g_model_call IF NOT EXISTS FOR (r:Mem0gModelCall) REQUIRE (r.scope, r.id) IS UNIQUE;
CREATE CONSTRAINT mem0g_model_reply IF NOT EXISTS FOR (r:Mem0gModelReply) REQUIRE (r.scope, r.id) IS UNIQUE;
CREATE CONSTRAINT mem0g_summary IF NOT EXISTS FOR (r:Mem0gSummary) REQUIRE (r.scope, r.id) IS UNIQUE;
CREATE CONSTRAINT mem0g_review IF NOT EXISTS FOR (r:Mem0gReview) REQUIRE (r.scope, r.id) IS UNIQUE;
CREATE CONSTRAINT mem0g_receipt IF NOT EXISTS FOR (r:Mem0gReceipt) REQUIRE (r.scope, r.id) IS UNIQUE;
CREATE INDEX mem0g_record IF NOT EXISTS FOR (r:Mem0gRecord) ON (r.scope, r.id);
CREATE INDEX mem0g_record_order IF NOT EXISTS FOR (r:Mem0gRecord) ON (r.scope, r.n);
CREATE INDEX mem0g_scope_user IF NOT EXISTS FOR (s:Mem0gScope) ON (s.user_id, s.run_id);
CREATE INDEX mem0g_scope_agent IF NOT EXISTS FOR (s:Mem0gScope) ON (s.agent_id);
CREATE INDEX mem0g_scope_run IF NOT EXISTS FOR (s:Mem0gScope) ON (s.run_id);
CREATE INDEX mem0g_entity_order IF NOT EXISTS FOR (e:Entity) ON (e.scope, e.n);
CREATE INDEX mem0g_literal_order IF NOT EXISTS FOR (l:Literal) ON (l.scope, l.n);
CREATE INDEX mem0g_fact_order IF NOT EXISTS FOR (f:Fact) ON (f.scope, f.n);
CREATE INDEX mem0g_message_order IF NOT EXISTS FOR (m:Message) ON (m.scope, m.n);
CREATE INDEX mem0g_passage_order IF NOT EXISTS FOR (p:Passage) ON (p.scope, p.n);
CREATE INDEX mem0g_session_order IF NOT EXISTS FOR (s:Session) ON (s.scope, s.n);
CREATE INDEX mem0g_decision_order IF NOT EXISTS FOR (d:Decision) ON (d.scope, d.n);
CREATE INDEX mem0g_message_place IF NOT EXISTS FOR (m:Message) ON (m.session_id, m.position);
CREATE INDEX mem0g_message_source IF NOT EXISTS FOR (m:Message) ON (m.scope, m.source_id);
CREATE INDEX mem0g_fact_subject IF NOT EXISTS FOR (f:Fact) ON (f.subject_id, f.relation);
CREATE INDEX mem0g_fact_object IF NOT EXISTS FOR (f:Fact) ON (f.object_id, f.relation);
CREATE FULLTEXT INDEX mem0g_entity_names IF NOT EXISTS FOR (e:Entity) ON EACH [e.keys, e.names, e.tokens]
  OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}};
CREATE FULLTEXT INDEX mem0g_fact_terms IF NOT EXISTS FOR (f:Fact) ON EACH [f.keys, f.terms]
  OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}};
CREATE FULLTEXT INDEX mem0g_message_terms IF NOT EXISTS FOR (m:Message) ON EACH [m.keys, m.terms]
  OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}};
CREATE FULLTEXT INDEX mem0g_passage_terms IF NOT EXISTS FOR (p:Passage) ON EACH [p.keys, p.terms]
  OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}};
