"""A memory in the shapes of agent frameworks: one module each, loaded only when it is imported.

Each needs the extra of its name: pip install "mem0g[langgraph]" for mem0g.integrations.langgraph; likewise langchain,
openai-agents, pydantic-ai, llama-index and google-adk.
"""
