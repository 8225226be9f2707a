"""The benchmarks: each is one module here, with a function of the module's name that is its command."""
