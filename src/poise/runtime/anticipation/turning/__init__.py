"""How hands are turned."""
