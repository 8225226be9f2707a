"""Triple ends to nodes."""
