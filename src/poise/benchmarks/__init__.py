"""Layer 8: speed, as ratios and times measured in one run."""

from poise.benchmarks.result import Result
from poise.benchmarks.run import run_benchmarks
from poise.benchmarks.wading import wading_session

__all__ = ["Result", "run_benchmarks", "wading_session"]
