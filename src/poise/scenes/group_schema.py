"""What may stand in a scene file of people who do something together, as pydantic models."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from poise.groups.person import Person
from poise.scenes.schema_types import Extents, Name, NotNegative, Number, Plane, Point, Positive, Strict
from poise.scenes.stated import One

__all__ = [
    "SHAPES",
    "TASKS",
    "GazeEntry",
    "GroupFile",
    "HandEntry",
    "InputEntry",
    "JointEntry",
    "LinkEntry",
    "MoveEntry",
    "PersonEntry",
    "PhaseEntry",
    "ShapeEntry",
    "StepEntry",
    "TaskEntry",
]

Axis = Literal["x", "y", "z"]
Hand = Annotated[str, Field(min_length=1, max_length=80)]
"""Whose and which, such as `anna right`."""
Part = Annotated[str, Field(min_length=1, max_length=130)]
"""A body, `anna/left_foot` or `door/handle`; or `world`."""
Gain = Annotated[float, Field(gt=0.0, le=1e6)]
SHAPES = ("box", "sphere", "capsule", "cylinder")
"""A shape is exactly one of these."""


class PersonEntry(Strict):
    """See `poise.groups.Person`, or `poise.groups.Follower` where there is a clip; angles are in degrees."""

    clip: Annotated[str, Field(min_length=1, max_length=1000)] | None = None
    cycles: Annotated[int, Field(ge=1, le=1000)] = 1
    """How often a cyclic clip is played."""
    carries: Name | None = None
    """A thing in the hands of who follows a clip."""
    hands: Annotated[tuple[Literal["left", "right"], ...], Field(min_length=1, max_length=2)] = ("left", "right")

    stature: Annotated[float, One(Person, "stature")] = Person.stature
    mass: Annotated[float, One(Person, "mass")] | None = Person.mass
    at: Plane | None = None
    """By default the origin, or where the clip is."""
    turn: Annotated[float, One(Person, "heading")] = Person.heading
    pose: dict[str, Number] = Field(default_factory=dict)
    strong: Annotated[bool, One(Person, "strong")] = Person.strong
    strength: Annotated[float, One(Person, "strength")] = Person.strength


class ShapeEntry(Strict):
    """See `poise.world.Shape`; exactly one of the first four."""

    box: Extents | None = None
    """Half extents [m]."""
    sphere: Positive | None = None
    """Radius [m]."""
    capsule: tuple[Positive, Positive] | None = None
    """Radius and half length [m]."""
    cylinder: tuple[Positive, Positive] | None = None
    mass: Positive
    position: Point = (0.0, 0.0, 0.0)
    along: Axis = "z"
    """Where a capsule or cylinder points."""
    color: Annotated[tuple[Annotated[float, Field(ge=0.0, le=1.0)], ...], Field(min_length=3, max_length=3)] = (
        0.55,
        0.42,
        0.28,
    )


class LinkEntry(Strict):
    """See `poise.world.Link`; ranges of hinges are in degrees."""

    link: Name
    joint: Literal["free", "hinge", "slide", "fixed"]
    parent: Name | None = None
    """The link that carries it; by default the world."""
    axis: Axis = "z"
    position: Point
    range: tuple[Number, Number] | None = None
    stiffness: NotNegative = 0.0
    damping: NotNegative = 0.0
    shapes: Annotated[tuple[ShapeEntry, ...], Field(min_length=1, max_length=50)]


class GripEntry(Strict):
    """A hand closed round a bar."""

    hand: Hand
    holds: Part
    radius: Annotated[float, Field(gt=0.0, le=0.05)] = 0.02


class HandEntry(Strict):
    """What a hand can hold goes to a place of a body."""

    hand: Hand
    to: Point
    of: Part = "world"
    turned: Literal["palm down", "thumb up", "hanging"] | None = None
    speed: Positive = 0.5


class GazeEntry(Strict):
    """Somebody looks at a place of a body."""

    gaze: Name
    to: Point = (0.0, 0.0, 0.0)
    of: Part = "world"


class JointEntry(Strict):
    """A hinge [degrees] or slide [m] goes to a coordinate, or moves at a speed."""

    joint: Part
    to: Number | None = None
    velocity: Number | None = None
    """Instead of `to` [degrees/s or m/s]."""
    speed: Positive | None = None
    """At most [degrees/s or m/s]."""
    stiffness: Gain = 15.0
    weight: Gain = 1000.0


class MoveEntry(Strict):
    """A body goes to a place of the world, turned as it is."""

    move: Part
    to: Point
    speed: Positive = 0.5
    stiffness: Gain = 20.0
    weight: Gain = 1000.0


TaskEntry = HandEntry | GazeEntry | JointEntry | MoveEntry
TASKS: dict[str, type[BaseModel]] = {"hand": HandEntry, "gaze": GazeEntry, "joint": JointEntry, "move": MoveEntry}
"""A task is exactly one of these."""


class StepEntry(Strict):
    """A foot that is put down somewhere else on the ground."""

    foot: Hand
    """Whose and which, such as `anna right`."""
    to: Plane
    """Where the middle of its sole goes [m]."""


class InputEntry(Strict):
    """At a time a task gets another target, as if somebody had moved it."""

    at: NotNegative
    task: Name
    to: Number | Point


class PhaseEntry(Strict):
    """See `poise.qp.Phase`: over after `lasts`, when the task `reached` is at its target, or when all `steps` are taken."""

    phase: Name
    tasks: tuple[Name, ...] = ()
    touch: tuple[Name, ...] = ()
    release: tuple[Name, ...] = ()
    steps: Annotated[tuple[StepEntry, ...], Field(max_length=20)] = ()
    """Taken at the same time, one by each person."""
    carrying: tuple[Name, ...] = ()
    """Things whose weight counts in the balance of who steps."""
    lasts: Positive | None = None
    reached: Name | None = None
    within: Positive | None = None
    """Of its target [m, or degrees of a hinge]."""
    patience: Positive = 8.0
    """Over in any case after so long [s]."""


class GroupFile(Strict):
    """A whole scene of people who do something together."""

    people: Annotated[dict[Name, PersonEntry], Field(min_length=1, max_length=20)]
    things: Annotated[dict[Name, tuple[LinkEntry, ...]], Field(max_length=50)] = Field(default_factory=dict)
    contacts: dict[Name, GripEntry] = Field(default_factory=dict)
    tasks: dict[Name, TaskEntry] = Field(default_factory=dict)
    phases: Annotated[tuple[PhaseEntry, ...], Field(min_length=1, max_length=500)]
    inputs: Annotated[tuple[InputEntry, ...], Field(max_length=10000)] = ()
    """Targets that change while the scene runs."""
    apart: tuple[tuple[Part, Part], ...] = ()
    """Bodies that keep off one another."""
    seconds: Annotated[float, Field(gt=0.0, le=3600.0)]
    step: Annotated[float, Field(ge=0.001, le=0.05)] = 0.005
    gravity: Annotated[float, Field(ge=0.0, le=100.0)] = 9.81
