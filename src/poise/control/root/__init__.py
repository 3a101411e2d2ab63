"""What carries a pelvis that follows its motion with finite force."""

from poise.control.root.drive import RootDrive, RootGains, lean_against, leg_shares, root_wrench

__all__ = ["RootDrive", "RootGains", "lean_against", "leg_shares", "root_wrench"]
