"""FBX: skeleton, skin and takes, by way of ufbx and glTF."""

from poise.io.fbx.read import read_fbx, read_fbx_clip

__all__ = ["read_fbx", "read_fbx_clip"]
