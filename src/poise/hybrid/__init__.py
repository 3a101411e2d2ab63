"""The hybrid package."""
