"""Where a body and its hands are at either end of a tick."""
