"""What may stand in a scene file, as pydantic models; unknown keys and wrong types are refused."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from poise.anticipation import Bounds, Region, Sight
from poise.anticipation.evasion import Evasion
from poise.behaviors.anticipation import AnticipationOptions, Expectation
from poise.behaviors.breathing import BreathingOptions
from poise.body.mass import MASS_TABLES
from poise.locomotion import CONTACTS
from poise.scenes.catalog import ASSETS
from poise.scenes.fluid_schema import FluidEntry
from poise.scenes.schema_types import (
    Answer,
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

__all__ = ["CharacterEntry", "PropEntry", "SceneFile", "TerrainEntry"]


class TensionEntry(Strict):
    """How tense muscles are; see `poise.control.Tension`."""

    frequency: Annotated[float, Field(ge=0.01, le=50.0)] = 3.0
    damping_ratio: Annotated[float, Field(ge=0.0, le=10.0)] = 0.8
    load: Literal["motion", "gravity", "none"] = "motion"
    upright: bool = True


class BodyEntry(Strict):
    """How a character is weighed; see `poise.body.BodyOptions`."""

    table: Literal[tuple(MASS_TABLES)] = "deleva_male"  # type: ignore[valid-type]
    mass: Annotated[float, Field(ge=0.1, le=1000.0)] | None = None
    stature: Annotated[float, Field(ge=0.1, le=10.0)] | None = None
    axes: Literal["motion", "rest"] = "motion"


class BoundsEntry(Strict):
    """How quickly and how firmly a hand may answer; see `poise.anticipation.Bounds`."""

    quickest: Answer = Bounds.quickest
    slowest: Answer = Bounds.slowest
    softest: Answer = Bounds.softest
    firmest: Answer = Bounds.firmest


class RegionEntry(Strict):
    """See `poise.anticipation.Region`."""

    part: str
    to: str | None = None
    radius: Annotated[float, Field(gt=0.0, le=10.0)] = Region.radius
    priority: Annotated[float, Field(gt=0.0, le=1e3)] = Region.priority
    bounds: BoundsEntry | None = None


class SightEntry(Strict):
    """See `poise.anticipation.Sight`; angles are in degrees."""

    sideways: Annotated[float, Field(ge=0.0, le=180.0)] = 95.0
    up: Annotated[float, Field(ge=0.0, le=90.0)] = 60.0
    down: Annotated[float, Field(ge=0.0, le=90.0)] = 75.0
    reach: Annotated[float, Field(ge=0.0, le=1e4)] = Sight.reach
    memory: Annotated[float, Field(ge=0.0, le=1e4)] = Sight.memory
    latency: Annotated[float, Field(ge=0.0, le=1.0)] = Sight.latency
    occlusion: bool = Sight.occlusion


class ExpectationEntry(Strict):
    """What an obstacle is taken for; see `poise.behaviors.hands.Expectation`."""

    mass: NotNegative | None = None
    speed: Annotated[float, Field(ge=0.0, le=100.0)] = Expectation.speed
    seen: bool = Expectation.seen


class EvasionEntry(Strict):
    """What trunk, neck, head and pace do; see `poise.anticipation.evasion.Evasion`; angles are in degrees."""

    look: Annotated[float, Field(ge=0.0, le=1.0)] = Evasion.look
    lean: Annotated[float, Field(ge=0.0, le=45.0)] = 20.0
    bend: Annotated[float, Field(ge=0.0, le=45.0)] = 35.0
    duck: Annotated[float, Field(ge=0.0, le=0.6)] = Evasion.duck
    sidestep: Annotated[float, Field(ge=0.0, le=1.0)] = Evasion.sidestep
    momentum: Annotated[float, Field(ge=0.0, le=1e6)] = Evasion.momentum
    shield: bool = Evasion.shield
    stops: bool = Evasion.stops
    distance: Annotated[float, Field(ge=0.3, le=3.0)] = Evasion.distance
    held: Annotated[float, Field(ge=0.01, le=10.0)] = Evasion.held


class AnticipationEntry(Strict):
    """How a character anticipates; see `poise.behaviors.hands.AnticipationOptions`."""

    contact: Literal["slide", "stick"] = "slide"
    adapt: bool = AnticipationOptions.adapt
    feels: bool = AnticipationOptions.feels
    heaviest: Annotated[float, Field(ge=0.001, le=1e6)] = AnticipationOptions.heaviest
    hold: Annotated[float, Field(ge=0.05, le=1.0)] = AnticipationOptions.hold
    hop: Annotated[float, Field(ge=0.0, le=2.0)] = AnticipationOptions.hop
    startle: bool = AnticipationOptions.startle
    expectations: dict[str, ExpectationEntry] = Field(default_factory=dict)
    """What obstacles are taken for, by name."""
    noise: Annotated[float, Field(ge=0.0, le=5.0)] = AnticipationOptions.noise
    seed: Annotated[int, Field(ge=0, le=2**31)] | None = None
    """Of the noise; by default the scene's."""
    bounds: BoundsEntry = BoundsEntry()
    kinds: dict[str, BoundsEntry] = Field(default_factory=dict)
    """Bounds by kind of obstacle or by name; what is not said stays as it is."""
    regions: Annotated[tuple[RegionEntry, ...], Field(min_length=1)] | None = None
    """Instead of shoulders and head."""
    sight: SightEntry = SightEntry()
    evasion: EvasionEntry = EvasionEntry()


class HandoverEntry(Strict):
    """Who takes joints over, and when; see `poise.behaviors.switching.Handover`."""

    time: NotNegative
    joints: Annotated[tuple[str, ...], Field(min_length=1)]
    to: Literal["motion", "muscles"]
    pose: Literal["clip", "rest"] = "rest"
    fade: Annotated[float, Field(ge=1e-3, le=60.0)] = 0.5


class ConductingEntry(Strict):
    """Arms that conduct over what the clip does; see `poise.gesture.Conducting`."""

    beats: str | Annotated[tuple[NotNegative, ...], Field(min_length=2)]
    """When the beats are [s], or a text or MIDI file with them."""
    per_bar: Literal[1, 2, 3, 4, 6] = 4
    left: Literal["mirror", "rest"] = "mirror"


class BalanceEntry(Strict):
    """A body that stands on its own feet; see `poise.behaviors.balance.BalanceOptions`."""

    law: Literal["capture", "printed"] = "capture"
    multiplier: Annotated[float, Field(ge=0.05, le=20.0)] = 1.0
    steps: Annotated[int, Field(ge=0, le=100)] = 3
    preview: Annotated[float, Field(ge=0.0, le=5.0)] = 0.0
    start: NotNegative = 0.0


class BreathingEntry(Strict):
    """See `poise.behaviors.breathing.BreathingOptions`."""

    rate: Annotated[float, Field(ge=0.05, le=1.0)] = BreathingOptions.rate
    depth: Annotated[float, Field(ge=0.0, le=0.03)] = BreathingOptions.depth
    sway: Annotated[float, Field(ge=0.0, le=0.03)] = BreathingOptions.sway
    shift: Annotated[float, Field(ge=0.0, le=0.08)] = BreathingOptions.shift
    every: Annotated[float, Field(ge=3.0, le=600.0)] = BreathingOptions.every
    seed: Annotated[int, Field(ge=0, le=2**31)] = BreathingOptions.seed


class CouplingEntry(Strict):
    """What a physical body feels of limbs that follow their clip; see `poise.hybrid.coupling.CouplingOptions`."""

    mode: Literal["exact", "lagged", "composite", "torque_only", "none"] = "exact"
    k: Annotated[float, Field(ge=0.0, le=10.0)] = 1.0
    form: Literal["dynamic", "printed"] = "dynamic"


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
    level: bool = False
    """Whether a steady drift of the level that feet stand at is taken out."""
    mending: bool = True
    """Whether what tracking lost is mended for the physics."""
    unit: str | float | None = None
    up: Literal["x", "y", "z"] | None = None
    roles: str | None = None
    """A role map file."""
    anchors: tuple[str, ...] = ("left_upper_arm", "right_upper_arm")
    blend: dict[str, Annotated[float, Field(ge=0.0, le=1.0)]] = Field(default_factory=dict)
    """How physical what comes out is, by joint or role: 0 as animated, 1 physical."""
    tension: TensionEntry = TensionEntry()
    relax: Annotated[float, Field(ge=0.0, le=1.0)] = 0.0
    """Share of their load that its arms' muscles do not carry."""
    body: BodyEntry = BodyEntry()
    anticipation: AnticipationEntry | None = None
    """Whether the character sees what comes and answers it, and how."""
    breathing: BreathingEntry | None = None
    """Whether it breathes, and sways while it stands."""
    conducting: ConductingEntry | None = None
    """Whether arms conduct over what the clip does."""
    balance: BalanceEntry | None = None
    """Whether the body stands on its own feet, from a time on."""
    switching: tuple[HandoverEntry, ...] = ()
    """Joints that change hands between the clip and physics."""
    coupling: CouplingEntry = CouplingEntry()
    cutoff: Annotated[float, Field(gt=0.0, le=1000.0)] | Literal["off"] = 12.0
    self_contact: bool = True
    root: Literal["kinematic", "compliant"] | None = None
    """How pelvis, trunk and legs follow the clip; by default compliant where a body has two legs and all of it follows its
    clip."""
    contacts: dict[Literal[CONTACTS], tuple[Span, ...]] | None = None  # type: ignore[valid-type]
    """When heels and balls of the feet stand, from and to [s]; by default told from the clip."""
    terrain: bool = True
    """Whether the clip is set onto the scene's terrain."""


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
    foot_margin: Annotated[float, Field(ge=0.0, le=0.01)] = 0.0
    toes: bool = True


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
