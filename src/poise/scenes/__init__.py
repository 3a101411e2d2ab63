"""The scenes package."""
