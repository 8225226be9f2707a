"""The benchmarks, in a small form."""
