"""All declared parameters, as rows of tables: for the command line, the docs and controls on a page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING
from importlib import import_module
from typing import Any, NamedTuple

from poise.errors import InputError, likeliest, shown
from poise.parameters import Group, Number, Parameter, declared, default_of

__all__ = ["SECTIONS", "Row", "Section", "listed", "markdown", "shown_value"]

_HEAD = """# Parameters

What can be set, with its default and range: this page is what `poise parameters --markdown` prints. Names are those of
[scene files](scene-files.md); angles are in degrees here and there, in radians in Python. NAME stands for the name of an
obstacle or of its kind, NUMBER for a place in a list. What is live may change while a session runs:
`session.set("walker", "anticipation.evasion.duck", 0.2)`; the rest is refused there by name.
"""
_TITLES = "| name | what it is | by default | allowed | live | why |\n|---|---|---|---|---|---|"


class Section(NamedTuple):
    """Parameters that are set in one place.

    Args:
        name: What their names begin with.
        where: Where they are set.
        home: The class that declares them, as `module:name`; some modules bring a second of imports.
        prefixed: Whether a user writes `name` before theirs.
        running: Whether a running session has them under these names (`Session.set`); elsewhere nothing is live.
    """

    name: str
    where: str
    home: str
    prefixed: bool = True
    running: bool = True

    @property
    def kind(self) -> type[Any]:
        """The class that declares them."""
        module, _, name = self.home.partition(":")
        kind: type[Any] = getattr(import_module(module), name)
        return kind


SECTIONS = (
    Section(
        "character",
        "keys of a character in a scene file, `CharacterOptions` in Python",
        "poise.characters.options:CharacterOptions",
        False,
    ),
    Section(
        "anticipation",
        "under a character in a scene file, `AnticipationOptions` in Python",
        "poise.behaviors.perception:AnticipationOptions",
    ),
    Section(
        "breathing",
        "under a character in a scene file, `BreathingOptions` in Python",
        "poise.behaviors.breathing:BreathingOptions",
    ),
    Section(
        "balance",
        "under a character in a scene file, `BalanceOptions` in Python",
        "poise.behaviors.balance:BalanceOptions",
    ),
    Section(
        "switching",
        "a list under a character in a scene file, `Handover` in Python",
        "poise.behaviors.handover:Handover",
        running=False,
    ),
    Section(
        "contact",
        "in a scene file (there `foot_margin` and `toes`), `ContactSettings` in Python",
        "poise.world.contact_settings:ContactSettings",
    ),
    Section("wading", "`WadingOptions` in Python", "poise.wading.options:WadingOptions"),
    Section("fluid", "`Fluid` in Python", "poise.fluid.fluids:Fluid"),
    Section(
        "wave",
        "a list under `waves` of a fluid in a scene file, `Wave` in Python",
        "poise.fluid.flow:Wave",
        running=False,
    ),
    Section(
        "eddies", "under a fluid in a scene file, `Turbulence` in Python", "poise.fluid.flow:Turbulence", running=False
    ),
    Section(
        "person",
        "under `people` in a scene file of people who do something together, `Person` in Python",
        "poise.groups.person:Person",
        running=False,
    ),
    Section(
        "stride",
        "`StrideOptions` of people who do something together, in Python",
        "poise.groups.striding:StrideOptions",
    ),
    Section(
        "taking", "`TakingOptions` of people who do something together, in Python", "poise.groups.taking:TakingOptions"
    ),
    Section("climb", "`ClimbOptions` of acrobats, in Python", "poise.scenes.together.climbing:ClimbOptions"),
    Section(
        "tracking",
        "`TrackingOptions` of people who follow a clip in a group, in Python",
        "poise.groups.tracking.options:TrackingOptions",
    ),
    Section("idle", "`IdleOptions` of people who do something together, in Python", "poise.groups.idle:IdleOptions"),
    Section(
        "readiness",
        "`ReadinessOptions` of people who do something together, in Python",
        "poise.groups.readiness:ReadinessOptions",
    ),
    Section(
        "apart", "`ApartOptions` of people who each decide for themselves, in Python", "poise.groups.apart:ApartOptions"
    ),
    Section("pump", "`PumpOptions` of who rides a swing, in Python", "poise.behaviors.pumping:PumpOptions"),
    Section("effort", "`EffortOptions` in Python", "poise.behaviors.effort_meter:EffortOptions"),
    Section("capture", "`CaptureOptions` in Python", "poise.control.balance:CaptureOptions"),
    Section("hip_drive", "`HipDrive` in Python", "poise.control.bounded:HipDrive"),
    Section("carrying", "`Carrying` in Python", "poise.control.bearing:Carrying"),
    Section("pace", "`Pace` in Python", "poise.control.bounded:Pace"),
    Section("style", "`Style` of conducting in Python", "poise.gesture.patterns:Style"),
    Section("elbows", "`Elbows` of gestures in Python", "poise.behaviors.gesturing:Elbows"),
    Section("beat_gestures", "`BeatGestures` in Python", "poise.gesture.speech:BeatGestures"),
    Section("limbs", "`LimbOptions` in Python", "poise.ik.limbs:LimbOptions"),
    Section("pole", "`ElasticPole` in Python", "poise.ik.poles:ElasticPole"),
)
"""Everything there is to set, in the order of the docs."""


class Row(NamedTuple):
    """One parameter.

    Args:
        name: With the groups it is in.
        says: What it is.
        default: What it is where nothing is said, as a user states it; None where it has to be given.
        allowed: What it may be.
        low: Of a number.
        high: Of a number.
        unit: Of a number.
        source: Where the default comes from.
        live: Whether it may change while a session runs.
    """

    name: str
    says: str
    default: Any
    allowed: str
    low: float | None
    high: float | None
    unit: str
    source: str
    live: bool


def listed(name: str | None = None) -> list[Row]:
    """All parameters, or those of a name: a section, a group or a single one.

    Raises:
        InputError: There is none of that name.
    """
    if name is None:
        return [row for section in SECTIONS for row in _rows(section)]
    # What a name begins with tells which sections it may be in.
    within = [each for each in SECTIONS if not each.prefixed or each.name == name.partition(".")[0]]
    rows = {section.name: list(_rows(section)) for section in within}
    found = rows.get(name) or [row for each in rows.values() for row in each if f"{row.name}.".startswith(f"{name}.")]
    if not found:
        sections = [each.name for each in SECTIONS]
        parts = [row.name.split(".") for each in rows.values() for row in each]
        names = [*sections, *{".".join(part[:end]): None for part in parts for end in range(1, len(part) + 1)}]
        raise InputError(
            f"unknown parameter {shown(name)}{likeliest(name, names)}; known: {', '.join(sections)} and theirs"
        )
    return found


def _rows(section: Section) -> Iterator[Row]:
    yield from _of(section.kind, f"{section.name}." if section.prefixed else "", single=section.running)


def _of(kind: type[Any], before: str, default: Any = None, *, single: bool = True) -> Iterator[Row]:
    """The parameters of a class, those of groups at their place; `default` is the object there is where nothing is said."""
    for name, each in declared(kind).items():
        value = default_of(kind, name) if default is None else getattr(default, name)
        if isinstance(each, Group):
            one, many = each.many == "one", {"one": "", "named": "NAME.", "listed": "NUMBER."}[each.many]
            yield from _of(each.kind, f"{before}{name}.{many}", value if one else None, single=single and one)
        else:
            yield _row(f"{before}{name}", each, value, each.live and single)


def _row(name: str, each: Parameter, value: Any, live: bool) -> Row:
    low, high, unit = (each.low, each.high, each.unit) if isinstance(each, Number) else (None, None, "")
    stated = None if value is MISSING else each.none if value is None else each.stated(value)
    return Row(name, each.says, stated, each.allowed, low, high, unit, each.source, live)


def shown_value(row: Row) -> str:
    """What a parameter is by default, in words."""
    if row.default is None:
        return "to be given"
    if isinstance(row.default, bool):
        return str(row.default).lower()
    if isinstance(row.default, float):
        return f"{row.default:.6g} {row.unit}".rstrip()
    return ", ".join(row.default) if isinstance(row.default, tuple) else str(row.default)


def markdown() -> str:
    """The page of the docs: a table for each section."""
    parts = [_HEAD]
    for section in SECTIONS:
        parts.append(f"## {section.name}\n\nSet {section.where}.\n\n{_TITLES}")
        parts += [_line(row) for row in _rows(section)]
        parts.append("")
    return "\n".join(parts)


def _line(row: Row) -> str:
    cells = (f"`{row.name}`", row.says, shown_value(row), row.allowed, "yes" if row.live else "", row.source)
    return f"| {' | '.join(cells)} |"
