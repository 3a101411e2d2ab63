"""Layer 0: quaternions, rotation splines, filters and differences on plain arrays."""
