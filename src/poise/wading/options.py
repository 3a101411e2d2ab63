"""How somebody wades: what is in the way and how the body answers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise import parameters
from poise.errors import InputError
from poise.fluid import DragForm, FluidVolume
from poise.locomotion.abstract_body import BodyServo
from poise.locomotion.steps import FootholdOptions
from poise.locomotion.swing import SwingProfile
from poise.wading.balance import BalanceOptions
from poise.wading.entering import CrossingOptions
from poise.wading.lifted_hands import HandsOptions
from poise.wading.pacing import PaceOptions
from poise.wading.reaching import ReachOptions
from poise.wading.servo import ServoOptions
from poise.wading.soaking import SoakingOptions
from poise.wading.swinging import SwingOptions
from poise.wading.turning import TurningOptions

__all__ = ["ChangingOptions", "Push", "WadingOptions"]


@dataclass(frozen=True)
class Push:
    """A force on the body for a while.

    Args:
        time: When it begins [s].
        force: [N], in the world: along x and y.
        duration: [s].
    """

    time: float
    force: tuple[float, float]
    duration: float = 0.1

    def __post_init__(self) -> None:
        if not (np.isfinite([self.time, *self.force]).all() and 0.0 < self.duration <= 1e3):
            raise InputError(f"a push needs finite numbers and a duration above 0 s; got {self}")


@dataclass(frozen=True, kw_only=True)
class ChangingOptions:
    """When a runner in fluid becomes a walker, and runs again."""

    held: float = parameters.number(
        0.85,
        0.1,
        1.0,
        says="share of its own speed above which nobody whom fluid slows down stops running",
        source="who jogs slower than people walk on land, jogs because he wants to",
    )
    power: float = parameters.number(
        4.0,
        0.1,
        100.0,
        "W/kg",
        says="power that fluid takes off a runner at most; whom it would take more of walks",
        source="chosen: 300 W of a body of 75 kg",
    )
    free: float = parameters.number(
        0.95,
        0.1,
        1.0,
        says="share of the speed intended at which somebody who is out of the fluid runs again",
        source="wet clothes and the bank hold nobody back any more",
    )

    def __post_init__(self) -> None:
        parameters.check(self, "changing")


@dataclass(frozen=True, kw_only=True)
class WadingOptions:
    """How somebody wades."""

    volumes: tuple[FluidVolume, ...] = ()
    """Fluids in the way."""
    servo: BodyServo | None = None
    """What moves the abstract body; by the character's mass and stature where None."""
    drive: ServoOptions = parameters.group(ServoOptions, says="what moves the body where `servo` is not given")
    crossing: CrossingOptions = parameters.group(
        CrossingOptions, says="when somebody of a running session begins to wade, and when that is over"
    )
    steps: bool = parameters.switch(
        True,
        says="whether the step controller leads the feet",
        source="without it the clip's feet slide, which murky water hides (Sec. 4.2)",
    )
    profile: SwingProfile = SwingProfile.MINIMUM_JERK
    arms: bool = parameters.switch(
        True, says="whether hands are lifted out of the fluid where that helps and they can be"
    )
    high_step: bool = parameters.switch(True, says="whether feet are lifted out of shallow fluid")
    drag: bool = parameters.switch(True, says="whether fluid resists")
    lean: bool = parameters.switch(
        True,
        says="whether the trunk leans into what holds the body back; without it the pitch intended is that of a pack alone",
    )
    wide: bool = parameters.switch(
        True,
        says="whether turns open out where fluid leaves too little weight on the feet for turns as tight as the clip's",
    )
    turning: TurningOptions = parameters.group(TurningOptions, says="how hard turns are")
    hands: HandsOptions = parameters.group(HandsOptions, says="how hands are lifted")
    pace: PaceOptions = parameters.group(PaceOptions, says="how a clip's time follows the body")
    footholds: FootholdOptions = parameters.group(FootholdOptions, says="where feet are planted")
    reach: ReachOptions = parameters.group(ReachOptions, says="how legs reach for their footholds")
    swing: SwingOptions = parameters.group(SwingOptions, says="how feet are")
    balance: BalanceOptions = parameters.group(
        BalanceOptions, says="how far the trunk leans, and how fast one walks at most"
    )
    soaking: SoakingOptions = parameters.group(SoakingOptions, says="what clothes take up")
    changing: ChangingOptions = parameters.group(
        ChangingOptions, says="when runners become walkers, and run again (`walks_where_slow`)"
    )
    hips: bool = parameters.switch(
        False,
        says="whether drag turns the body about the middle between its hips",
        source="the paper's stand-in for the center of mass",
    )
    buoyancy: bool = parameters.switch(True, says="whether fluid bears, and is moved along (added mass)")
    form: DragForm = DragForm.YIELD
    pushes: tuple[Push, ...] = ()
    pack: float = parameters.number(0.0, 0.0, 200.0, "kg", says="mass carried on the back")
    pack_behind: float = parameters.number(
        0.1, 0.0, 1.0, says="how far behind the hips it is, in statures", source="a full pack against a back"
    )
    pack_above: float = parameters.number(
        0.25, 0.01, 1.0, says="and how far above them what it is balanced with is", source="the middle of a trunk"
    )
    slope: float = parameters.number(
        0.6,
        0.0,
        2.0,
        says="share of the weight's pull down a slope that the walk feels; the rest is borne by a gait that fits the slope",
        source="slows uphill as hikers do (Tobler 1993: to 0.7 of their speed on a tenth, to a half on a fifth)",
    )
    soaks: bool = parameters.switch(True, says="whether clothes come out of the fluid heavy and drip for a while")
    reaction: float = parameters.number(
        0.0, 0.0, 5.0, "s", says="time in which steps follow the body's speed: 0 at once; a late reaction stutters"
    )

    def __post_init__(self) -> None:
        parameters.check(self, "wading")
