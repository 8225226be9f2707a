"""Evidence in the strings of names for and against their meaning one entity."""
