"""The edge to a language model: what is asked, what comes back, what it cost."""
