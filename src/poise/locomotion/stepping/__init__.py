"""Where feet go that cannot go where their clip has them."""

from poise.locomotion.stepping.options import StepOptions
from poise.locomotion.stepping.planner import STEPS, StepMoment, StepPlanner, StepState

__all__ = ["STEPS", "StepMoment", "StepOptions", "StepPlanner", "StepState"]
