"""How a person's mass divides over the segments: tables by name.

Shares are per side for limbs and sum to one over the whole body. "trunk" shares are given for the lower, middle and upper
part; head and neck are one segment. Centres of mass are a fraction of the bone from its upper end and radii of gyration a
fraction of its length (sagittal, transverse, longitudinal), both for limbs only: the trunk's and the head's come from
their shape, since their tabulated values use landmarks a skeleton does not have.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from poise.errors import unknown_name

__all__ = ["MASS_TABLES", "SEGMENTS", "MassTable", "mass_table"]

SEGMENTS = (
    "lower_trunk",
    "middle_trunk",
    "upper_trunk",
    "head_neck",
    "upper_arm",
    "forearm",
    "hand",
    "thigh",
    "shank",
    "foot",
)
_TWICE = ("upper_arm", "forearm", "hand", "thigh", "shank", "foot")


@dataclass(frozen=True)
class MassTable:
    """Mass shares and limb properties of one population or paper.

    Args:
        name: How it is asked for.
        origin: Where the numbers come from.
        shares: Mass share of each segment, per side for limbs; both sides and the trunk sum to one.
        centres: Centre of mass of each limb, a fraction of its length from the upper end.
        radii: Radii of gyration of each limb about its sagittal, transverse and longitudinal axis, fractions of length.
        densities: Densities [kg/m³] per segment where the source gives these instead of shares; empty otherwise.
    """

    name: str
    origin: str
    shares: Mapping[str, float]
    centres: Mapping[str, float]
    radii: Mapping[str, tuple[float, float, float]]
    densities: Mapping[str, float]


def _normalized(shares: Mapping[str, float]) -> dict[str, float]:
    total = sum(shares[segment] * (2 if segment in _TWICE else 1) for segment in SEGMENTS)
    return {segment: shares[segment] / total for segment in SEGMENTS}


def _shares(*values: float) -> dict[str, float]:
    return _normalized(dict(zip(SEGMENTS, values, strict=True)))


_MALE_CENTRES = dict(zip(_TWICE, (0.5772, 0.4574, 0.79, 0.4095, 0.4459, 0.4415), strict=True))
_FEMALE_CENTRES = dict(zip(_TWICE, (0.5754, 0.4559, 0.7474, 0.3612, 0.4416, 0.4014), strict=True))
_MALE_RADII = dict(
    zip(
        _TWICE,
        (
            (0.285, 0.269, 0.158),
            (0.276, 0.265, 0.121),
            (0.628, 0.513, 0.401),
            (0.329, 0.329, 0.149),
            (0.255, 0.249, 0.103),
            (0.257, 0.245, 0.124),
        ),
        strict=True,
    )
)
_FEMALE_RADII = dict(
    zip(
        _TWICE,
        (
            (0.278, 0.260, 0.148),
            (0.261, 0.257, 0.094),
            (0.531, 0.454, 0.335),
            (0.369, 0.364, 0.162),
            (0.271, 0.267, 0.093),
            (0.299, 0.279, 0.139),
        ),
        strict=True,
    )
)
_WINTER_CENTRES = dict(zip(_TWICE, (0.436, 0.43, 0.506, 0.433, 0.433, 0.5), strict=True))
_WINTER_RADII = {
    segment: (radius, radius, 0.3 * radius)
    for segment, radius in zip(_TWICE, (0.322, 0.303, 0.297, 0.323, 0.302, 0.475), strict=True)
}
# Densities in the authors' own code (van Welbergen 2009); its roll bones and sacrum are folded into their segments.
_DENSITIES = dict(zip(SEGMENTS, (1030, 1070, 1070, 1110, 1070, 1130, 1160, 1050, 1090, 1100), strict=True))

MASS_TABLES: dict[str, MassTable] = {
    table.name: table
    for table in (
        MassTable(
            "deleva_male",
            "de Leva 1996, Table 4, men",
            _shares(11.17, 16.33, 15.96, 6.94, 2.71, 1.62, 0.61, 14.16, 4.33, 1.37),
            _MALE_CENTRES,
            _MALE_RADII,
            {},
        ),
        MassTable(
            "deleva_female",
            "de Leva 1996, Table 4, women",
            _shares(12.47, 14.65, 15.45, 6.68, 2.55, 1.38, 0.56, 14.78, 4.81, 1.29),
            _FEMALE_CENTRES,
            _FEMALE_RADII,
            {},
        ),
        MassTable(
            "winter",
            "Dempster via Winter: pelvis .142, abdomen .139, thorax .216; long-axis radius 0.3 of the transverse one",
            _shares(0.142, 0.139, 0.216, 0.081, 0.028, 0.016, 0.006, 0.1, 0.0465, 0.0145),
            _WINTER_CENTRES,
            _WINTER_RADII,
            {},
        ),
        MassTable(
            "alvarado2022",
            "Alvarado 2022, Table 2, with the thigh (8.79 kg) and shank (5.14 kg) of its public project; foot 1.37 %; "
            "each shoulder's 1 kg is part of the upper trunk",
            _shares(10.56, 25.2, 12.0, 4.8, 2.95, 1.59, 0.5, 8.79, 5.14, 1.24),
            _MALE_CENTRES,
            _MALE_RADII,
            {},
        ),
        MassTable(
            "vanwelbergen2009",
            "van Welbergen 2009: densities of the authors' code times the volume of our colliders",
            _shares(11.17, 16.33, 15.96, 6.94, 2.71, 1.62, 0.61, 14.16, 4.33, 1.37),
            _MALE_CENTRES,
            _MALE_RADII,
            _DENSITIES,
        ),
        MassTable(
            "hu2024",
            "Hu 2024, Table 1, literally per body (both limbs of a pair each), divided by their sum; upper trunk split "
            "evenly over middle and upper",
            _shares(24.80, 22.04, 22.04, 7.39, 3.17, 2.18, 0.77, 10.06, 6.04, 1.50),
            _MALE_CENTRES,
            _MALE_RADII,
            {},
        ),
        MassTable(
            "hu2024_trunk",
            "Hu 2024, Table 1, reading 44.08 % as the whole trunk (19.28 above 24.80), divided by the sum",
            _shares(24.80, 9.64, 9.64, 7.39, 3.17, 2.18, 0.77, 10.06, 6.04, 1.50),
            _MALE_CENTRES,
            _MALE_RADII,
            {},
        ),
    )
}


def mass_table(name: str) -> MassTable:
    """The table called `name`; raises `InputError` listing the known ones."""
    if name not in MASS_TABLES:
        raise unknown_name("mass table", name, MASS_TABLES)
    return MASS_TABLES[name]
