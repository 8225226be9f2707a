"""BEAM (arXiv 2510.27246): the memory of an assistant, asked about in ten abilities."""
