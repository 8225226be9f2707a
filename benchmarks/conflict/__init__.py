"""What happens to facts that contradict each other, in FactConsolidation and in conversations."""
