"""A group as a scene that can be played, drawn and exported like any other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from poise.groups import Apart, Group, Together
from poise.scenes.scene import Scene
from poise.world.props import Prop
from poise.world.scene import SceneSpec

__all__ = ["together"]


def together(
    name: str, make: Callable[[], Group] | Callable[[], Apart], seconds: float, *, props: Sequence[Prop] = ()
) -> Scene:
    """A scene of a group.

    Args:
        name: What to call it.
        make: Makes the group at its start; called once for each session.
        seconds: How long it lasts.
        props: What else is there.
    """
    group = make()
    rate = 30.0 if group.controller.step > 0.02 else 50.0
    characters = group.characters(seconds, rate)
    setting = SceneSpec(things=group.things, props=props, gravity=group.system.gravity)
    return Scene(name, characters, setting, groups=[partial(Together, make)])
