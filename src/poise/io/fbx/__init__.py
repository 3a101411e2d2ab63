"""FBX characters: skeleton and skin of binary FBX 7 files, by way of glTF."""

from poise.io.fbx.read import read_fbx, read_fbx_clip

__all__ = ["read_fbx", "read_fbx_clip"]
