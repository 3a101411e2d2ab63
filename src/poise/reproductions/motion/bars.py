"""What a motion must keep to, each bar with its reason, and which groups of runs fall short of it today."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from poise.reproductions.motion.runs import Group

__all__ = ["BARS", "GROUPS", "Bar"]

GROUPS: Mapping[Group, str] = {
    "clips": "clips in the surroundings made for them, defaults",
    "clips-anticipate": "the same clips, anticipating",
    "scenes": "named scenes",
}
"""What runs are of."""

_SOON = (
    "a hurried reach has 400 m/s³ times the priority of its region: the bar and more; with less haste more gets past"
)
_STOPS = "range stops that bear at most twice a muscle's strength, and muscles that carry what a stretched limb needs"
_THIN = "stems and thin props met at the speed of limbs go into them for some substeps"
_CLIPS: tuple[Group, ...] = ("clips", "clips-anticipate")
_ANSWERING: tuple[Group, ...] = ("clips-anticipate", "scenes")


class Bar(NamedTuple):
    """A bar on one of the `Numbers`.

    Args:
        number: Field of `Numbers`.
        most: Largest allowed; with `least` the smallest.
        unit: Of both.
        reason: Why there.
        open: Groups that fall short today, and what is aimed at.
        least: Whether it is a floor and not a ceiling.
    """

    number: str
    most: float
    unit: str
    reason: str
    open: Mapping[Group, str]
    least: bool = False

    def within(self, value: float) -> bool:
        """Whether a number keeps to the bar; what could not be measured does."""
        return not (value < self.most if self.least else value > self.most)

    @property
    def id(self) -> str:
        """For rows."""
        return self.number.replace("_", "-")


def _everywhere(aim: str, *groups: Group) -> dict[Group, str]:
    return dict.fromkeys(groups or GROUPS, aim)


BARS = (
    Bar(
        "hand_jerk",
        2.0,
        "×",
        "hands jerk at most twice as much as the clip's, or as an ordinary quick reach (200 m/s³): more is seen as a jolt",
        _everywhere(f"2 ×: {_SOON}", *_ANSWERING),
    ),
    Bar(
        "hand_jerk_contact",
        2.0,
        "×",
        "the same while the hand touches something",
        _everywhere("2 ×: a hand that swings into something that does not give way is stopped in a tick or two"),
    ),
    Bar(
        "hand_jerk_free",
        2.0,
        "×",
        "the same while it touches nothing",
        _everywhere(f"2 ×: {_SOON}", *_ANSWERING),
    ),
    Bar(
        "reversals",
        1.5,
        "%",
        "accelerations over 1 g reverse from frame to frame in at most 1.5 % of hand frames beyond the source's own: more is "
        "shaking that no arm can do",
        _everywhere(f"1.5 %: {_SOON}", *_ANSWERING),
    ),
    Bar(
        "reversals_free",
        0.0,
        "ticks",
        "away from impacts there are none at all: nothing but a hit turns a hand round at 1 g",
        {
            "clips": "none: one tick in 81 runs has one, in a punch at 8 Hz",
            **_everywhere(f"none: {_SOON}", *_ANSWERING),
        },
    ),
    Bar(
        "touch_speed",
        1.0,
        "×",
        "a hand first touches a thing no faster than its clip's hands are 95 % of the time, or than a quick reach ever is "
        "(1.25 m/s): the speed of a reach is a bell (Flash and Hogan 1985), and who means to touch has slowed down by then",
        _everywhere(
            "1 ×: a hand whose reach is hurried arrives before its speed has come down; arms that do not anticipate meet what "
            "is in their clip's way at its speed"
        ),
    ),
    Bar(
        "joint_acceleration",
        1.0,
        "×",
        "away from impacts joints accelerate at most as in their source, or as a quick everyday movement (300 rad/s²)",
        _everywhere(
            "1 ×: most runs of clips are within 7 % of it; noisy capture that leaves its range is brought back with 8 ×"
        ),
    ),
    Bar(
        "contact",
        5.0,
        "body weights",
        "no contact presses harder than five body weights, as a punch or a hard landing on hands does; feet on the ground "
        "excepted",
        {},
    ),
    Bar(
        "limit_excess",
        3.0,
        "°",
        "joints go at most 3° beyond a range that admits the source: ligaments give about as much, and the eye sees 5°",
        _everywhere(f"3°, by {_STOPS}"),
    ),
    Bar(
        "self_penetration",
        10.0,
        "mm",
        "parts of the body sink at most 1 cm deeper into one another than in the source: soft tissue gives as much",
        _everywhere("1 cm: relaxed arms swing into the trunk, raised ones into the head"),
    ),
    Bar(
        "prop_penetration",
        10.0,
        "mm",
        "the body sinks at most 1 cm into things: soft tissue gives as much",
        _everywhere(f"1 cm: {_THIN}"),
    ),
    Bar(
        "stance_slide",
        1.0,
        "mm/tick",
        "standing soles move at most 1 mm a tick more than the source's: 6 cm/s is seen as skating",
        _everywhere(
            "1 mm: soles of legs that walk by their muscles, and of who is held back by a door, slip by 4 mm", "scenes"
        )
        | _everywhere("1 mm: a foot that treads on a ball, or comes down beside its way, slides a little", *_CLIPS),
    ),
    Bar(
        "floating",
        5.0,
        "mm",
        "soles float at most 5 mm higher than the source's where that stands (tolerance of PhysDiff, Yuan et al. 2023)",
        _everywhere("5 mm: feet leave blocks that go down faster than they fall", "scenes")
        | _everywhere("5 mm: a foot with a ball under it stands higher", "clips-anticipate"),
    ),
    Bar(
        "sinking",
        5.0,
        "mm",
        "soles sink at most 5 mm deeper than the source's",
        _everywhere("5 mm: soles of physical feet press into what carries them, and who swings is low", "scenes")
        | _everywhere("5 mm: a relaxed foot that a ball presses on gives way into the ground", *_CLIPS),
    ),
    Bar(
        "first_tick",
        1.0,
        "mm",
        "nothing is moved by pressing play: at the start and after the first tick every joint is within 1 mm of its source",
        _everywhere(
            "1 mm: physical legs start in a stance of their own, gazes begin at once, and `dab` starts 4 mm off"
        ),
    ),
    Bar(
        "hand_back",
        1.0,
        "×",
        "a joint that is handed back to its clip goes on with the velocity and the acceleration it has: no more than a quick "
        "everyday movement's (300 rad/s²), or its source's own",
        {},
    ),
    Bar(
        "hand_share",
        0.7,
        "",
        "of the impulse of what a hand went out to meet the hand and forearm take at least 70 %, else the reach was for show",
        _everywhere("70 %: things get past hands to upper arm and trunk", "clips-anticipate", "scenes"),
        True,
    ),
    Bar(
        "pelvis_gives",
        0.5,
        "mm per N s",
        "a body that is hit gives way: the pelvis goes aside by at least 0.5 mm per N s that trunk, head or legs receive "
        "(a person of 62 kg pushed at the hips goes 1.5 to 2.4 mm per N s)",
        {"scenes": "0.5 mm per N s: who braces with hands or trunk, or holds on to what they handle, goes aside less"},
        True,
    ),
)
