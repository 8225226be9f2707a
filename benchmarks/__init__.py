"""Benchmarks of mem0g, each run beside its baselines; ``python -m benchmarks --help`` lists them.

``benchmarks/NAME/command.py`` is ``python -m benchmarks NAME``; its steps are in the files next to it.
"""
