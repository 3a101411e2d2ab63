"""The mannequin: a skinned mesh for any skeleton, put together from its bones, melted into one and bound in an open pose."""

from poise.body.mannequin.build import cache_folder, mannequin

__all__ = ["cache_folder", "mannequin"]
