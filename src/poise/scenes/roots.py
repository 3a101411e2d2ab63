"""Whether the people of a scene yield as whole bodies."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from poise.behaviors.anticipation import Anticipation
from poise.behaviors.breathing import Breathing
from poise.behaviors.gesturing import Gesturing, conducting_live
from poise.behaviors.push import Push
from poise.behaviors.root import can_yield
from poise.characters.character import Character
from poise.control.root import Root
from poise.errors import InputError
from poise.hybrid.coupling import Coupling
from poise.scenes.scene import Scene
from poise.signals import Mode

__all__ = ["refuse_physical", "rooted", "with_root"]


def with_root(who: Character, root: Root) -> Character:
    """A character whose root follows its clip so.

    Raises:
        InputError: It shall yield or stand by itself, but lacks legs or arms, or does not follow its clip with its pelvis.
    """
    if root != "kinematic" and who.options.coupling.mode is not Coupling.EXACT:
        raise InputError(
            f"a {root} root needs the coupling 'exact'; got '{who.options.coupling.mode.value}', which is for bodies that "
            "something else holds up",
            place="coupling",
        )
    if root != "kinematic" and not _able(who):
        raise InputError(
            f"a {root} root needs two arms, two legs with feet, and a pelvis that follows the clip", place="root"
        )
    return replace(who, options=replace(who.options, root=root))


def _able(who: Character) -> bool:
    return who.modes[0] == Mode.MOTION and can_yield(who.plan)


def rooted(scene: Scene, root: Root | None = None) -> Scene:
    """The scene with everybody's root as `root`; None lets those yield who can and whose pelvis is nobody else's.

    Raises:
        InputError: Somebody shall yield or stand by itself who cannot.
    """
    if root == "physical":
        refuse_physical(scene)
    characters = {}
    for name, who in scene.characters.items():
        simple = all(_leaves_pelvis(maker) for maker in scene.behaviors.get(name, ()))
        if root is None:
            exact = who.options.coupling.mode is Coupling.EXACT
            chosen = with_root(who, "compliant") if simple and exact and _able(who) else who
        else:
            if root != "kinematic" and not simple:
                cannot = "yield" if root == "compliant" else "have a physical root"
                raise InputError(
                    f"is moved by something that has the pelvis to itself; it cannot {cannot} as well", place=name
                )
            chosen = with_root(who, root)
        characters[name] = chosen
    return replace(scene, characters=characters)


def refuse_physical(scene: Scene) -> None:
    """Raise `InputError` where nobody could stand by the strength of their own joints alone."""
    why = {
        "it wades: a root in a fluid is led through it": scene.wading or scene.fluids,
        "its people are moved by one program together": scene.groups,
        "it has terrain, and a physical root stands on a level floor": scene.setting.terrain,
    }
    for reason, holds in why.items():
        if holds:
            raise InputError(f"nobody's root can be physical there: {reason}", source=scene.name)


def _leaves_pelvis(maker: object) -> bool:
    """Whether a maker of a behavior makes one that leaves the pelvis to others."""
    made = maker.func if isinstance(maker, partial) else maker
    return made in (Anticipation, Breathing, Gesturing, Push, conducting_live)
