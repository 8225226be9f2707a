"""The formats that mem0g reads, a module for each or for several that are alike."""
