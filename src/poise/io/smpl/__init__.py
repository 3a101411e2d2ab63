"""Motions of SMPL, SMPL-H and SMPL-X bodies, as AMASS has them, without the body models, which are not free."""

from poise.io.smpl.read import KEYS, read_smpl

__all__ = ["KEYS", "read_smpl"]
