"""Poise: physics-aware character animation."""

__version__ = "0.1.0"
