// The greatest position in a session. Parameters: session_id. Result: one row: position, null in a session without messages.
MATCH (m:Message) WHERE m.session_id = $session_id AND m.position IS NOT NULL
RETURN max(m.position) AS position
