"""Markers of C3D files."""

from poise.io.c3d.read import is_c3d, read_markers

__all__ = ["is_c3d", "read_markers"]
