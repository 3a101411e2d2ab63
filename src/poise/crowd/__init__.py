"""Many conductors at once: one character, each copy with its own tempo, size, phase and balance."""

from poise.crowd.crowd import STEP, Crowd, Member
from poise.crowd.extras import Extras
from poise.crowd.seats import Seats, half_rings
from poise.crowd.stance import STANDING, sprung
from poise.crowd.tally import EVERY, Tally

__all__ = ["EVERY", "STANDING", "STEP", "Crowd", "Extras", "Member", "Seats", "Tally", "half_rings", "sprung"]
