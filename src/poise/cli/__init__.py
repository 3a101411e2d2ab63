"""Layer 8: the `poise` command: what it is asked, what it plays, what it says."""
