"""What searches read of a set of scopes, held in memory for every store: vectors, stems, edges, places, rows."""
