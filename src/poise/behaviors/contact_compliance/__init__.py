"""What is hit unawares gives way for a moment, and comes back (Alvarado 2022, section 5.4)."""

from poise.behaviors.contact_compliance.flinch import Flinch, FlinchState
from poise.behaviors.contact_compliance.startle import Startle, StartleState

__all__ = ["Flinch", "FlinchState", "Startle", "StartleState"]
