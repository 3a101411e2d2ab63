"""The reproductions package."""
