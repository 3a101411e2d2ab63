"""Assembling a world: ground, characters and props in one model."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite

import mujoco as mj

from poise.body.plan import BodyPlan
from poise.errors import InputError, shown
from poise.motion.markers import Markers
from poise.signals import FluidSheet, Mode
from poise.world.character import add_character
from poise.world.contact import set_contacts
from poise.world.contact_settings import CONTACTS, ContactSettings
from poise.world.layout import character_layout
from poise.world.masks import Surface, paint
from poise.world.pool import Pool
from poise.world.prop_geoms import add_prop, land_firmly
from poise.world.props import Ball, Box, Prop
from poise.world.spring_equilibrium import balance_springs
from poise.world.sprung import Sprung, SprungWorld
from poise.world.terrain import Platform, Terrain
from poise.world.terrain_geoms import add_terrain
from poise.world.things import Thing, add_thing
from poise.world.visuals import GROUND_MATERIAL, add_look
from poise.world.world import World

__all__ = ["SceneSpec", "build_world"]

_WELD_TIME = 0.01
"""Time constant of a weld [s]."""
_PARKED, _SPACE = -200.0, 20.0
"""How high what is not there is kept, and how far from one another [m]."""


_MOST = 1e4
"""Gravity [m/s²] and height of the floor [m] at most, as in a scene file: beyond it runs only diverge."""


@dataclass(frozen=True, kw_only=True)
class SceneSpec:
    """What surrounds the characters."""

    props: Sequence[Prop] = ()
    """Everything but the characters and the ground."""
    pool: Sequence[Ball | Box] = ()
    """Balls and boxes that are not there until `world.command.Spawn` puts them there, and not after `Remove`."""
    things: Sequence[Thing] = ()
    """What people handle together; it moves with whoever controls it (see `poise.qp`), else by itself."""
    floor: float | None = 0.0
    """Height of the flat floor [m]; None for none."""
    terrain: Sequence[Terrain] = ()
    """Ground that is not flat; it lies on the floor, or the floor shows through where it is lower."""
    gravity: float = 9.81
    """Downward [m/s²]."""
    apart: Mapping[str, Sequence[tuple[str, str]]] = field(default_factory=dict)
    """Per character, pairs of its bodies that never touch one another."""
    welds: Mapping[str, str] = field(default_factory=dict)
    """What `World.weld` can fix: a body, such as "conductor/LeftFoot", and what to, another body or "world".
    A character welded to another body does not touch it."""
    sheets: Sequence[FluidSheet] = ()
    """Surfaces of fluids, to be looked at."""
    markers: Markers | None = None
    """Markers of the capture that the first character's clip comes from, in its time, to be looked at."""
    sleep: bool = True
    """Whether props at rest are left out of the computation until something touches them."""
    contact: ContactSettings = field(default_factory=ContactSettings)
    """How firm contacts are; see `poise.world.CONTACTS`."""
    sprung: Sprung | None = None
    """Springs in place of muscles, of all characters, which are of one plan, on a flat floor and never meet
    (`poise.world.sprung`)."""

    def __post_init__(self) -> None:
        for loose in self.pool:
            if not isinstance(loose, (Ball, Box)):
                raise InputError(f"takes balls and boxes; got a {type(loose).__name__.lower()}", place="pool")
        for name, value in (("gravity", self.gravity), ("floor", 0.0 if self.floor is None else self.floor)):
            if not isinstance(value, (int, float)) or not isfinite(value) or abs(value) > _MOST:
                raise InputError(f"must be a finite number of at most {_MOST:g} in size; got {value!r}", place=name)


def build_world(
    plans: Mapping[str, BodyPlan], setting: SceneSpec, timestep: float, *, armature: float | None = None
) -> World:
    """Compile the scene. Held balls, moving platforms and the pool start as `MOTION`, everything else as `PASSIVE`.

    Args:
        plans: The characters by name.
        setting: What surrounds them.
        timestep: Length of a substep [s].
        armature: Rotor inertia of `MOTION` coordinates; by default the cut's own.

    Raises:
        InputError: Names are used twice, a plant's spring is too weak to hold it up, or a prop or a piece of terrain is not
            acceptable.
    """
    spec = _empty_spec(setting, timestep)
    for name, plan in plans.items():
        add_character(spec, name, plan)
        for first, second in _apart(plan, setting.apart.get(name, ())):
            spec.add_exclude(bodyname1=f"{name}/{first}", bodyname2=f"{name}/{second}")
    _check_names(
        [*plans, *(thing.name for thing in (*setting.terrain, *setting.props, *setting.pool, *setting.things))]
    )
    for piece in setting.terrain:
        add_terrain(spec, piece)
    for prop in setting.props:
        add_prop(spec, prop)
        if isinstance(prop, Ball) and setting.floor is not None and setting.contact == CONTACTS["soft"]:
            land_firmly(spec, prop, setting.floor)
    for number, loose in enumerate(setting.pool):
        add_prop(spec, replace(loose, position=(0.0, 0.0, _PARKED - _SPACE * number)))
        spec.body(loose.name).sleep = mj.mjtSleepPolicy.mjSLEEP_NEVER
    for handled in setting.things:
        add_thing(spec, handled)
    for body, other in setting.welds.items():
        _add_weld(spec, body, other)
        owner = body.split("/")[0]
        for label in plans[owner].names if owner in plans and other != "world" else ():
            spec.add_exclude(bodyname1=f"{owner}/{label}", bodyname2=other)
    model = _compiled(spec)
    balance_springs(model)
    layouts = {name: character_layout(model, name, plan) for name, plan in plans.items()}
    set_contacts(model, layouts, setting.contact)
    if setting.sprung is not None:
        _check_alone(plans, setting)
        return SprungWorld(model, layouts, _surfaces(model), setting.sprung, spec)
    world = World(model, layouts, _surfaces(model), armature=armature, spec=spec)
    world.cut.set([prop.name for prop in setting.props if isinstance(prop, Ball)], Mode.MOTION)
    world.pool = Pool(world, [loose.name for loose in setting.pool])
    world.cut.set([piece.name for piece in setting.terrain if isinstance(piece, Platform)], Mode.MOTION)
    return world


def _check_alone(plans: Mapping[str, BodyPlan], setting: SceneSpec) -> None:
    others = (*setting.props, *setting.pool, *setting.things, *setting.terrain, *setting.welds)
    if others or setting.floor is None:
        raise InputError("a character on springs stands alone on a flat floor", place="sprung")
    if any(plan is not next(iter(plans.values())) for plan in plans.values()):
        raise InputError("characters on springs are all of one plan", place="sprung")


def _compiled(spec: mj.MjSpec) -> mj.MjModel:
    try:
        return spec.compile()
    except (ValueError, mj.FatalError) as error:
        said = re.search(r"(?:Error: )?(?P<what>[^\n;]*)", str(error))
        name = re.search(r"name '([^']*)'", str(error))
        what = said["what"].strip() if said else "no reason given"
        if "inertia" in what:
            what = "its inertia is impossible, as of a bone that is far too long, or of no length or mass"
        raise InputError(f"the physics refuses it: {what}", source=f"body {shown(name[1])}" if name else None) from None


def _empty_spec(setting: SceneSpec, timestep: float) -> mj.MjSpec:
    spec = mj.MjSpec()
    option = spec.option
    option.timestep = timestep
    option.gravity = [0.0, 0.0, -setting.gravity]
    option.integrator = mj.mjtIntegrator.mjINT_DISCRETE
    # See the traps in `poise.world.cut`.
    option.tolerance = 1e-14
    option.disableflags = int(mj.mjtDisableBit.mjDSBL_AUTORESET)
    if setting.sleep:
        option.enableflags = int(mj.mjtEnableBit.mjENBL_SLEEP)
    add_look(spec)
    if setting.floor is not None:
        floor = spec.worldbody.add_geom(name="ground", type=mj.mjtGeom.mjGEOM_PLANE, size=[0, 0, 0.05])
        floor.pos = [0.0, 0.0, setting.floor]
        floor.material = GROUND_MATERIAL
        paint(floor, Surface.GROUND)
    return spec


def _add_weld(spec: mj.MjSpec, body: str, other: str) -> None:
    for name in (body, other):
        if spec.body(name) is None:
            raise InputError(f"there is no body {name!r} to weld")
    weld = spec.add_equality(name=body, type=mj.mjtEq.mjEQ_WELD, objtype=mj.mjtObj.mjOBJ_BODY, active=False)
    weld.name1, weld.name2 = body, other
    weld.solref = [_WELD_TIME, 1.0]


def _apart(plan: BodyPlan, pairs: Sequence[tuple[str, str]]) -> set[tuple[str, str]]:
    """The given pairs, and neighbors: capsules overlap by design near the joints between them.

    A body's neighbors are its grandparent, and bodies of another branch within three joints (neck and upper arm).
    """
    result = set(pairs)
    for second in range(len(plan)):
        for first in range(second):
            up, down = plan.joints_between(first, second)
            if up + down == 2 or (up and down and up + down == 3):
                result.add((plan.names[first], plan.names[second]))
    return result


def _check_names(given: Sequence[str]) -> None:
    names = ["world", "ground", *given]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InputError(f"names in a scene must be unique; used twice: {', '.join(twice)}")
    slashed = [name for name in names if "/" in name or not name]
    if slashed:
        raise InputError(f"names in a scene must not be empty or contain '/'; got {slashed[0]!r}")


def _surfaces(model: mj.MjModel) -> dict[int, Surface]:
    """What each geom was painted as, read back from its bits."""
    kinds = {1: Surface.FIXED, 2: Surface.BODY, 4: Surface.GROUND, 8: Surface.PLANT}
    return {geom: kinds[int(model.geom_contype[geom])] for geom in range(model.ngeom)}
