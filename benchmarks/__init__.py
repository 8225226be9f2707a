"""What mem0g is measured with, beside baselines in the same run; ``python -m benchmarks --help`` lists it."""
