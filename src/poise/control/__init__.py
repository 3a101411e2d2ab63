"""The control package."""
