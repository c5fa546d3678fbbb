"""Measurements, each figure beside its peer in the same run: ``python -m benchmarks``. They never decide pass or fail."""
