"""Motions of DeepMimic's humanoid."""

from poise.io.deepmimic.read import read_deepmimic

__all__ = ["read_deepmimic"]
