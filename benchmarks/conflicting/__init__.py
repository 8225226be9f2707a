"""What becomes of facts that contradict each other: stated again (FactConsolidation), or in conversations."""
