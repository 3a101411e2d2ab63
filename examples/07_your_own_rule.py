"""A rule and a region of your own: someone timid, who also keeps things off their belly.

Rules are plain functions that replace the ones Poise comes with; regions are spheres and capsules on parts of the body.
"""

from poise.anticipation import REGIONS, Bounds, Region, Rules
from poise.behaviors.anticipation import AnticipationOptions
from poise.scenes.upper_body_figures import fruit


def timid(distance: float, radius: float, closing: float, bounds: Bounds) -> float:
    """Always as quickly as possible."""
    return bounds.quickest


belly = Region(part="pelvis", radius=0.45, priority=1.5)
options = AnticipationOptions(regions=(*REGIONS, belly), rules=Rules(reaction_time=timid))

low = (0.42, -0.12, 0.95)
for label, chosen in (("as Poise comes", None), ("with rule and region", options)):
    recording = fruit(low, chosen).session().run()
    reached = [event.time for event in recording.events if event.kind == "reach"]
    print(f"{label}: {'no hand moved' if not reached else f'a hand went there at {reached[0]:.2f} s'}")
    # The check: what is before the belly is nobody's business until there is a region for it.
    assert bool(reached) == (chosen is options)
