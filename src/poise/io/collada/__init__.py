"""Collada: skeleton, skin and animation, by way of assimp and glTF."""

from poise.io.collada.read import read_collada, read_collada_clip

__all__ = ["read_collada", "read_collada_clip"]
