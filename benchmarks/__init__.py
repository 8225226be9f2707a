"""Benchmarks of mem0g, each run beside its baselines; ``python -m benchmarks --help`` lists them."""
