"""The assets package."""
