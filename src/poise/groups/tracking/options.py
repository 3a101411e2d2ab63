"""How somebody of a group follows a clip: what of it is known ahead, how feet stand, and how dear the tasks of it are."""

from __future__ import annotations

from dataclasses import dataclass

from poise import parameters

__all__ = ["TrackingOptions"]


@dataclass(frozen=True, kw_only=True)
class TrackingOptions:
    """See `poise.groups.Follower`. Weights and stiffnesses are those of its tasks (`poise.qp.tasks`).

    Raises:
        InputError: A number is out of range.
    """

    feedforward: bool = parameters.switch(
        True, says="whether the clip's velocities and accelerations are known, or only where everything is to be"
    )
    borne: bool = parameters.switch(
        True, says="whether the body is moved until its feet can bear the clip's weight and accelerations"
    )
    catches: bool = parameters.switch(
        True, says="whether a foot comes down farther on where the body is off its course"
    )
    ranges: bool = parameters.switch(
        True, says="whether joints keep to their ranges, which are never narrower than what the clip does"
    )
    apart: bool = parameters.switch(
        True,
        says="whether arms keep off trunk, head and one another, and legs off one another, no farther than in the clip",
    )
    beyond: float = parameters.number(
        0.02,
        0.0,
        0.2,
        "m",
        says="how far the body may run off its course before a foot comes down farther on",
        source="as far as weight may be moved under a sole without standing on its edge",
    )
    farther: float = parameters.number(
        0.25, 0.0, 1.0, "m", says="how much farther on a foot comes down at most", source="a third to half of a step"
    )
    lost: float = parameters.number(
        0.3,
        0.05,
        2.0,
        "m",
        says="how far the center of mass may be from where the clip has it, before the clip is lost",
        source="as far as a foot is long",
    )
    clear: float = parameters.number(
        0.03,
        0.0,
        0.2,
        "m",
        says="how near parts begin to brake that the clip keeps farther apart",
        source="skin gives way by about a centimeter",
    )
    zone: float = parameters.number(
        0.02,
        0.001,
        0.2,
        "m",
        says="how far before they stop two parts begin to brake",
        source="what a hand at 1 m/s needs at the hardest (`poise.qp.collisions`)",
    )
    bears: float = parameters.number(
        0.9,
        0.1,
        1.0,
        says="share of each sole's length and width that bears weight",
        source="its edges are round",
    )
    overlap: float = parameters.number(
        0.1,
        0.0,
        0.5,
        "s",
        says="how long both feet stand at least when one takes over from the other",
        source="feet that are told by height and speed land late and leave early",
    )
    flight: float = parameters.number(
        0.12,
        0.0,
        1.0,
        "s",
        says="how long no foot may seem to stand, before the clip is refused",
        source="what feet that are told by height and speed miss",
    )
    most: float = parameters.number(
        0.2,
        0.0,
        2.0,
        "m",
        says="how far the body may be moved for its feet to bear it, before the clip is refused",
        source="a body leans on something that is farther from over its feet",
    )
    inner: float = parameters.number(
        0.6,
        0.05,
        1.0,
        says="share of each sole's length and width that bears weight in what is planned",
        source="the rest is for what does not go as planned",
    )
    calm: float = parameters.number(
        0.03,
        0.0,
        0.5,
        "s",
        says="over what time the planned motion is smoothed (standard deviation of a Gaussian)",
        source="legs solved frame by frame jerk where a foot lands",
    )
    steady: float = parameters.number(
        0.06,
        0.001,
        0.5,
        "s",
        says="over what time the place that bears the weight is smoothed",
        source="the center of mass hardly answers what is quicker",
    )
    fade: float = parameters.number(
        0.06, 0.0, 0.5, "s", says="how long the force of a foot takes to fade before it leaves the ground"
    )
    pose: float = parameters.number(1.0, 0.0, 1e6, "s⁴/rad²", says="weight of each joint's turn")
    trunk: float = parameters.number(
        100.0,
        0.0,
        1e6,
        "s⁴/rad²",
        says="weight of the turns of pelvis and spine",
        source="everything else hangs from them",
    )
    pose_stiffness: float = parameters.number(100.0, 0.0, 1e4, "1/s²", says="how stiffly turns are kept to")
    hand: float = parameters.number(100.0, 0.0, 1e6, "s⁴/m²", says="weight of a hand's place")
    hand_stiffness: float = parameters.number(100.0, 0.0, 1e4, "1/s²", says="how stiffly a hand keeps to its place")
    chest: float = parameters.number(
        1000.0,
        0.0,
        1e6,
        "s⁴/m²",
        says="weight of the place and turn of a thing that both hands hold before the chest",
        source="that of hands elsewhere (`Group.hand`)",
    )
    foot: float = parameters.number(1000.0, 1.0, 1e6, "s⁴/m²", says="weight of a foot's place and turn")
    foot_stiffness: float = parameters.number(300.0, 0.0, 1e4, "1/s²", says="how stiffly a foot keeps to them")
    center: float = parameters.number(
        5000.0,
        1.0,
        1e6,
        "s⁴/m²",
        says="weight of the center of mass",
        source="so dear that nothing else takes it off its course",
    )
    center_stiffness: float = parameters.number(
        15.0,
        0.0,
        1e4,
        "1/s²",
        says="how stiffly it keeps to its course along the ground",
        source="what runs away of it then comes back as fast as `StrideOptions.returns` has it",
    )
    level_stiffness: float = parameters.number(30.0, 0.0, 1e4, "1/s²", says="how stiffly it keeps to its height")

    def __post_init__(self) -> None:
        parameters.check(self, "tracking")
