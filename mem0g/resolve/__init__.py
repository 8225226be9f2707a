"""Node matching: which entity each end of a triple means."""
