"""What may stand in a scene file, as pydantic models; unknown keys and wrong types are refused."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from poise.body.mass import MASS_TABLES
from poise.scenes.catalog import ASSETS

__all__ = ["CharacterEntry", "PropEntry", "SceneFile"]

Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.\- ]+$", min_length=1, max_length=60)]
Number = Annotated[float, Field(ge=-1e4, le=1e4, allow_inf_nan=False)]
Positive = Annotated[float, Field(gt=0.0, le=1e4, allow_inf_nan=False)]
NotNegative = Annotated[float, Field(ge=0.0, le=1e5, allow_inf_nan=False)]
Point = tuple[Number, Number, Number]
Extents = tuple[Positive, Positive, Positive]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=False)


class TensionEntry(_Strict):
    """How tense muscles are; see `poise.control.Tension`."""

    frequency: Annotated[float, Field(ge=0.01, le=50.0)] = 3.0
    damping_ratio: Annotated[float, Field(ge=0.0, le=10.0)] = 0.8
    load: Literal["motion", "gravity"] = "motion"


class BodyEntry(_Strict):
    """How a character is weighed; see `poise.body.BodyOptions`."""

    table: Literal[tuple(MASS_TABLES)] = "deleva_male"  # type: ignore[valid-type]
    mass: Annotated[float, Field(ge=0.1, le=1000.0)] | None = None
    stature: Annotated[float, Field(ge=0.1, le=10.0)] | None = None


class CharacterEntry(_Strict):
    """One character: a clip and how it is treated."""

    clip: str
    """A file, beside the scene file, or `shipped:walk`."""
    animation: str | None = None
    """Which animation of a glTF file."""
    cycles: Annotated[int, Field(ge=1, le=1000)] = 1
    """How often a cyclic clip is played."""
    unit: str | float | None = None
    up: Literal["x", "y", "z"] | None = None
    roles: str | None = None
    """A role map file."""
    anchors: tuple[str, ...] = ("left_upper_arm", "right_upper_arm")
    tension: TensionEntry = TensionEntry()
    body: BodyEntry = BodyEntry()
    cutoff: Annotated[float, Field(gt=0.0, le=1000.0)] | Literal["off"] = 12.0
    self_contact: bool = True


class AssetEntry(_Strict):
    """An obstacle of Alvarado 2022, Table 3, by name."""

    asset: Literal[tuple(ASSETS)]  # type: ignore[valid-type]
    name: Name | None = None
    position: tuple[Number, Number]
    yaw: Number = 0.0
    """[degrees]."""
    size: Positive = 1.0


class PlantEntry(_Strict):
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


class BallEntry(_Strict):
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


class BoxEntry(_Strict):
    """See `poise.world.Box`; `size` is in half extents."""

    box: Name
    position: Point
    size: Extents
    mass: Positive
    yaw: Number = 0.0


class WallEntry(_Strict):
    """See `poise.world.Wall`; `size` is in half extents."""

    wall: Name
    position: Point
    size: Extents
    yaw: Number = 0.0


PropEntry = AssetEntry | PlantEntry | BallEntry | BoxEntry | WallEntry


class SceneFile(_Strict):
    """A whole scene."""

    characters: Annotated[dict[Name, CharacterEntry], Field(min_length=1)]
    props: tuple[PropEntry, ...] = ()
    surroundings: Name | None = None
    """Furnish the surroundings of this character as `poise run CLIP` does."""
    floor: Annotated[float, Field(ge=-1e4, le=1e4)] | Literal["auto", "none"] = "auto"
    """With "auto" it is the ground the first clip was recorded on."""
    gravity: Annotated[float, Field(ge=0.0, le=100.0)] = 9.81
    substep: Annotated[float, Field(ge=1e-4, le=0.02)] = 0.002
    seed: Annotated[int, Field(ge=0, le=2**31)] = 0
