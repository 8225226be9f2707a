"""What a new triple does to the facts there are."""
