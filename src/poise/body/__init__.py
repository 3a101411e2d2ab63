"""The body package."""
