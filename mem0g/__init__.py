"""Graph memory for AI agents: conversations in, typed dated facts in a graph, answers out."""
