"""USD: skeleton, skin and animation by UsdSkel, in and out."""

from poise.io.usd.append import append_to_stage, own_suffix, skeleton_prim
from poise.io.usd.film import Over
from poise.io.usd.read import SUFFIXES, read_usd, read_usd_clip
from poise.io.usd.shapes import write_usd_shapes
from poise.io.usd.write import write_usd

__all__ = [
    "SUFFIXES",
    "Over",
    "append_to_stage",
    "own_suffix",
    "read_usd",
    "read_usd_clip",
    "skeleton_prim",
    "write_usd",
    "write_usd_shapes",
]
