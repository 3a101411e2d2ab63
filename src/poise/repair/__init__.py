"""Layer 2: what a take gets wrong: found, named with its frames, mended in a copy for the physics. Files stay."""

from poise.repair.mend import Mended, bridged, mend, put_back, untouched

__all__ = ["Mended", "bridged", "mend", "put_back", "untouched"]
