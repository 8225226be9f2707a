"""Node matching: which thing each end of a triple means."""
