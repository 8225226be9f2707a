"""Tests of the benchmarks, on small data."""
