"""What a memory was before each decision, and how it is changed by hand: undone, merged, parted, erased."""
