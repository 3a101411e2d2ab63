"""Muscles as pairs whose one gain is given, the paper's own form."""

from poise.control.pairs.pairs import PairState, pull_in_pairs

__all__ = ["PairState", "pull_in_pairs"]
