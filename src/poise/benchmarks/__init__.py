"""The benchmarks package."""
