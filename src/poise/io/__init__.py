"""The io package."""
