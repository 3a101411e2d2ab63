"""What may stand in a scene file, as pydantic models; unknown keys and wrong types are refused."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from poise.behaviors.balance import BalanceOptions
from poise.behaviors.breathing import BreathingOptions
from poise.behaviors.handover import Handover
from poise.behaviors.perception import AnticipationOptions
from poise.body.options import BodyOptions
from poise.characters.options import CharacterOptions
from poise.control.root import Root, RootChange, RootDrive
from poise.control.tension import Tension
from poise.hybrid.coupling import CouplingOptions
from poise.locomotion import CONTACTS
from poise.locomotion.stepping import StepOptions
from poise.scenes.catalog import ASSETS
from poise.scenes.fluid_schema import FluidEntry
from poise.scenes.schema_types import (
    Area,
    Extents,
    Name,
    NotNegative,
    Number,
    Plane,
    Point,
    Positive,
    Span,
    Strict,
)
from poise.scenes.stated import One, Stated, Values
from poise.world.contact_settings import ContactSettings

__all__ = ["CharacterEntry", "GoalEntry", "PropEntry", "SceneFile", "TerrainEntry"]


class ConductingEntry(Strict):
    """Arms that conduct over what the clip does; see `poise.gesture.Conducting`."""

    beats: str | Annotated[tuple[NotNegative, ...], Field(min_length=2)] | None = None
    """When the beats are [s], or a text or MIDI file with them."""
    tempo: tuple[tuple[NotNegative, Annotated[float, Field(ge=0.0, le=1200.0)]], ...] = ()
    """Instead of beats: tempos that are asked for, from when [s] (the first from the start) and beats per minute; 0 holds."""
    per_bar: Literal[1, 2, 3, 4, 6] = 4
    left: Literal["mirror", "rest"] = "mirror"


class GoalEntry(Strict):
    """Where a part of the body shall be for a while; see `poise.ik.Goals`."""

    part: Literal["left_hand", "right_hand", "left_foot", "right_foot", "head", "pelvis"]
    """Wrist and ankle joints, head or pelvis."""
    at: Point
    """In the world [m]."""
    during: Span
    """From and to [s]."""


class CharacterEntry(Strict):
    """One character: a clip and how it is treated."""

    clip: str
    """A file, beside the scene file, or `shipped:walk`."""
    animation: str | None = None
    """Which animation of a glTF file."""
    cycles: Annotated[int, Field(ge=1, le=1000)] = 1
    """How often a cyclic clip is played."""
    at: Plane | None = None
    """Where the character starts, seen from above [m]; by default where its clip does."""
    turn: Number = 0.0
    """How far it is turned to the left of how its clip faces [degrees]."""
    rate: Annotated[float, Field(ge=0.001, le=1e5)] | None = None
    """Frames per second [Hz], where the file says it wrongly."""
    mirrored: bool | None = None
    """Whether the file is left-handed; told from toes and knees by default."""
    level: Annotated[bool, One(CharacterOptions, "level")] = CharacterOptions.level
    mending: Annotated[bool, One(CharacterOptions, "mending")] = CharacterOptions.mending
    unit: str | float | None = None
    up: Literal["x", "y", "z"] | None = None
    roles: str | None = None
    """A role map file."""
    anchors: Annotated[tuple[str, ...], One(CharacterOptions, "anchors")] = CharacterOptions.anchors
    blend: dict[str, Annotated[float, Field(ge=0.0, le=1.0)]] = Field(default_factory=dict)
    """How physical what comes out is, by joint or role: 0 as animated, 1 physical."""
    tension: Annotated[Values, Stated(Tension)] = Field(default_factory=dict)
    relax: Annotated[float, One(Tension, "relax")] | None = None
    """Short for `tension.relax`."""
    body: Annotated[Values, Stated(BodyOptions)] = Field(default_factory=dict)
    anticipation: Annotated[Values, Stated(AnticipationOptions)] | None = None
    """Whether the character sees what comes and answers it, and how."""
    breathing: Annotated[Values, Stated(BreathingOptions)] | None = None
    """Whether it breathes, and sways while it stands."""
    conducting: ConductingEntry | None = None
    """Whether arms conduct over what the clip does."""
    balance: Annotated[Values, Stated(BalanceOptions)] | None = None
    """Whether the body stands on its own feet, from a time on."""
    reaching: tuple[GoalEntry, ...] | None = None
    """What its physical part reaches for with limited strength; the clip's own hands, feet and hips where there is no goal."""
    switching: tuple[Annotated[Values, Stated(Handover)], ...] = ()
    """Joints that change hands between the clip and physics."""
    coupling: Annotated[Values, Stated(CouplingOptions, "check")] = Field(default_factory=dict)
    cutoff: Annotated[float, One(CharacterOptions, "cutoff")] | Literal["off"] | None = CharacterOptions.cutoff
    self_contact: Annotated[bool, One(CharacterOptions, "self_contact")] = CharacterOptions.self_contact
    root: Root | None = None
    """By default compliant where a body has two legs and all of it follows its clip."""
    root_changes: tuple[Annotated[Values, Stated(RootChange)], ...] = ()
    """What the root becomes while the scene is played, and when."""
    root_drive: Annotated[Values, Stated(RootDrive)] = Field(default_factory=dict)
    stepping: Annotated[Values, Stated(StepOptions)] = Field(default_factory=dict)
    contacts: dict[Literal[CONTACTS], tuple[Span, ...]] | None = None  # type: ignore[valid-type]
    """When heels and balls of the feet stand, from and to [s]; by default told from the clip."""
    terrain: Annotated[bool, One(CharacterOptions, "terrain")] = CharacterOptions.terrain


class AssetEntry(Strict):
    """An obstacle of Alvarado 2022, Table 3, by name."""

    asset: Literal[tuple(ASSETS)]  # type: ignore[valid-type]
    name: Name | None = None
    position: Plane
    yaw: Number = 0.0
    """[degrees]."""
    size: Positive = 1.0


class PlantEntry(Strict):
    """See `poise.world.Plant`."""

    plant: Name
    position: Point
    direction: Point = (0.0, 0.0, 1.0)
    length: Positive
    links: Annotated[int, Field(ge=1, le=20)] = 1
    mass: Positive
    stiffness: Positive
    damping: NotNegative
    stem_radius: Positive = 0.012
    crown_radius: NotNegative = 0.0


class BallEntry(Strict):
    """A ball: thrown with a velocity, or at a character's arm."""

    ball: Name
    time: NotNegative = 0.0
    radius: Positive = 0.08
    mass: Positive = 0.5
    position: Point | None = None
    velocity: Point | None = None
    at: Name | None = None
    """A character; then `time` is when the ball arrives and `side` where it comes from."""
    side: Literal["left", "right"] = "left"


class BoxEntry(Strict):
    """See `poise.world.Box`; `size` is in half extents."""

    box: Name
    position: Point
    size: Extents
    mass: Positive
    yaw: Number = 0.0


class HangingEntry(Strict):
    """See `poise.world.Hanging`; `size` is a radius for a sphere, half extents for a box."""

    hanging: Name
    position: Point
    """Where the rope is tied."""
    rope: Positive
    size: Positive | Extents
    mass: Positive
    damping: NotNegative = 0.02
    yaw: Number = 0.0


class WallEntry(Strict):
    """See `poise.world.Wall`; `size` is in half extents."""

    wall: Name
    position: Point
    size: Extents
    yaw: Number = 0.0


PropEntry = AssetEntry | PlantEntry | HangingEntry | BallEntry | BoxEntry | WallEntry


class FieldEntry(Strict):
    """See `poise.world.HeightField`; either `amplitude`, for noise, or `heights`."""

    field: Name
    position: Point
    """Middle; z is the height of its level over the floor."""
    size: Area
    cell: Positive = 0.5
    amplitude: NotNegative | None = None
    seed: Annotated[int, Field(ge=0, le=2**31)] = 0
    rim: bool = True
    heights: Annotated[tuple[tuple[Number, ...], ...], Field(max_length=1000)] | None = None
    """Rows along y of heights along x [m]."""


class StepsEntry(Strict):
    """See `poise.world.Steps`; `tops`, or `count` and `height` of equal steps."""

    steps: Name
    position: Point
    """Middle of the lower edge; z is over the floor."""
    yaw: Number = 0.0
    depth: Positive = 0.5
    width: Positive = 2.0
    tops: Annotated[tuple[Number, ...], Field(max_length=200)] | None = None
    count: Annotated[int, Field(ge=1, le=200)] = 1
    height: Annotated[float, Field(ge=-0.4, le=0.4)] | None = None


class SlopeEntry(Strict):
    """See `poise.world.Slope`; the angle is in degrees."""

    slope: Name
    position: Point
    """Middle of the lower edge; z is over the floor."""
    yaw: Number = 0.0
    angle: Annotated[float, Field(gt=0.0, le=30.0)]
    length: Positive
    width: Positive = 2.0


class BlockEntry(Strict):
    """See `poise.world.Block`."""

    block: Name
    position: Point
    """Middle of the top; z is over the floor."""
    size: Area
    yaw: Number = 0.0


class PlatformEntry(Strict):
    """See `poise.world.Platform`."""

    platform: Name
    position: Point
    """Middle of the top at its lowest; z is over the floor."""
    size: Area
    yaw: Number = 0.0
    thickness: Positive = 0.3
    travel: Annotated[float, Field(ge=0.0, le=2.0)]
    period: Positive
    phase: Number = 0.0
    course: Literal["cosine", "triangle"] = "cosine"
    until: NotNegative | None = None
    """When it stops where it is [s]."""


TerrainEntry = FieldEntry | StepsEntry | SlopeEntry | BlockEntry | PlatformEntry


class ContactEntry(Strict):
    """How firm contacts are; see `poise.world.ContactSettings`."""

    firmness: Literal["soft", "stiff"] = "soft"
    foot_margin: Annotated[float, One(ContactSettings, "foot_margin")] = ContactSettings.foot_margin
    toes: Annotated[bool, One(ContactSettings, "toes")] = ContactSettings.toes


class SceneFile(Strict):
    """A whole scene."""

    characters: Annotated[dict[Name, CharacterEntry], Field(min_length=1, max_length=200)]
    terrain: Annotated[tuple[TerrainEntry, ...], Field(max_length=200)] = ()
    fluids: Annotated[tuple[FluidEntry, ...], Field(max_length=20)] = ()
    props: Annotated[tuple[PropEntry, ...], Field(max_length=2000)] = ()
    surroundings: Name | None = None
    """Furnish the surroundings of this character as `poise run CLIP` does."""
    floor: Annotated[float, Field(ge=-1e4, le=1e4)] | Literal["auto", "none"] = "auto"
    """With "auto" it is the ground the first clip was recorded on."""
    gravity: Annotated[float, Field(ge=0.0, le=100.0)] = 9.81
    substep: Annotated[float, Field(ge=1e-4, le=0.02)] = 0.002
    contact: ContactEntry = ContactEntry()
    seed: Annotated[int, Field(ge=0, le=2**31)] = 0
