"""Evidence recall on LOCOMO, beside the usual ways to find turns and facts."""
