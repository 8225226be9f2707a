"""What searches read of a file, held in memory: vectors, stems, edges and places as columns, and rows read before."""
