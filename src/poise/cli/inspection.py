"""What `poise inspect` says of a clip: what is in it and how Poise understands it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
import typer
from rich.table import Table

from poise.body import BodyOptions, BodyPlan, build_body
from poise.body.coordinates import clip_frames
from poise.body.ground import ground_height
from poise.characters.prepare import prepare
from poise.cli.path_picture import path_facts, path_lines
from poise.cli.terminal import console, escape, print_json, say, working
from poise.errors import InputError
from poise.locomotion.contact_names import CONTACTS
from poise.locomotion.contacts import contact_phases
from poise.metrics import measure
from poise.motion.clip import Clip
from poise.motion.edit import motion_start
from poise.motion.roles import Roles, guess_roles
from poise.report.clip_warnings import clip_warnings, made_in_place
from poise.report.joint_ranges import LIMITS, range_summary
from poise.report.measured import motion_of
from poise.report.words import digits, name_metric

__all__ = ["inspect_clip"]

_MOST_CONTACTS = 8
_MOST_BEYOND = 3


def inspect_clip(
    clip: Clip,
    roles: Mapping[str, str | None] | None,
    *,
    axes: Literal["motion", "rest"] = "motion",
    json: bool = False,
) -> None:
    """Say what is in a clip.

    Raises:
        InputError: The role map does not fit, or no body can be made of the clip: what else there is to say is said before.
        typer.Exit: Likewise, where the JSON has the reason.
    """
    guessed = guess_roles(clip.skeleton, roles)
    facts = _facts(clip, guessed)
    with working("measuring", quiet=json):
        _measure(facts, clip, guessed, axes, everything=json)
    if json:
        print_json(facts)
    else:
        _show(clip, guessed, facts)
    if facts["body"] is None:
        if json:
            raise typer.Exit(2)
        raise InputError(f"no body can be made of it: {facts['no_body_because']}", source=clip.source.path)


def _measure(
    facts: dict[str, Any], clip: Clip, roles: Roles, axes: Literal["motion", "rest"], *, everything: bool
) -> None:
    """Put into the facts the body that a clip gives, its path and its numbers, or why there is none."""
    try:
        prepared = prepare(clip, cutoff=None)
        facts["notes"] += prepared.notes
        plan = build_body(prepared.clip, roles, BodyOptions(axes=axes))
    except InputError as error:
        facts["body"] = None
        facts["no_body_because"] = str(error)
    else:
        facts["body"], facts["quality"] = _body(prepared.clip, plan, everything=everything)
        facts["notes"] += clip_warnings(plan, prepared.clip, facts["body"]["ground_m"])
        in_place = made_in_place(plan, prepared.clip)
        facts["in_place"] = bool(in_place)
        facts["notes"] += in_place
        facts["path"] = path_facts(plan, prepared.clip)


def _facts(clip: Clip, roles: Roles) -> dict[str, Any]:
    joints, _ = clip.world_positions()
    return {
        "file": clip.source.path,
        "format": clip.source.format,
        "frames": len(clip),
        "rate_hz": clip.rate,
        "duration_s": clip.duration,
        "joints": len(clip.skeleton),
        "end_sites": len(clip.skeleton.end_parents),
        "unit_m": clip.source.metres_per_unit,
        "unit_reason": clip.source.unit_reason,
        "up": clip.source.up_axis,
        "up_reason": clip.source.up_reason,
        "travels_m": float(np.linalg.norm(joints[-1, :, :2].mean(axis=0) - joints[0, :, :2].mean(axis=0))),
        "rest_frames": motion_start(clip),
        "notes": list(clip.source.notes),
        "skeleton": [
            {
                "name": name,
                "parent": None if parent < 0 else clip.skeleton.names[parent],
                "role": role,
                "role_reason": reason,
                "channels": list(channels),
            }
            for name, parent, role, reason, channels in zip(
                clip.skeleton.names,
                clip.skeleton.parents,
                roles.by_joint,
                roles.reasons,
                clip.source.channels or ((),) * len(clip.skeleton),
                strict=True,
            )
        ],
    }


def _body(clip: Clip, plan: BodyPlan, *, everything: bool) -> tuple[dict[str, Any], dict[str, Any]]:
    """The body that a clip gives and its numbers: those that are shown, or all there are."""
    frames = clip_frames(plan, clip)
    floor = ground_height(plan, frames)
    phases = contact_phases(plan, frames, clip.rate, floor).intervals()
    beyond = range_summary(plan, clip)
    body = {
        "stature_m": plan.stature,
        "mass_kg": plan.total_mass,
        "ground_m": floor,
        "bodies": [
            {"name": name, "role": role, "mass_kg": float(mass), "axes_from": source}
            for name, role, mass, source in zip(plan.names, plan.body_roles, plan.masses, plan.axes_from, strict=True)
        ],
        "beyond_range": {
            "degrees": list(LIMITS),
            "frames_percent": list(beyond.percent),
            "joints": [joint._asdict() for joint in beyond.joints],
        },
        "contacts": [phase._asdict() for phase in phases],
    }
    return body, measure(motion_of(plan, clip, floor, shallow=not everything))


def _show(clip: Clip, roles: Roles, facts: dict[str, Any]) -> None:
    say(
        f"[bold]{escape(str(facts['file']))}[/]: {facts['frames']} frames at {facts['rate_hz']:g} Hz, "
        f"{facts['duration_s']:.2f} s"
    )
    say(f"  unit  {facts['unit_m']:g} m  [dim]{facts['unit_reason']}[/]")
    say(f"  up    {facts['up']}  [dim]{facts['up_reason']}[/]")
    for note in facts["notes"]:
        say(f"  [dim]{escape(note)}[/]")
    console().print(_joint_table(clip, roles))
    if facts["body"] is None:
        return
    body = facts["body"]
    say(
        f"  body: {len(body['bodies'])} bodies, {body['mass_kg']:.1f} kg, {body['stature_m']:.2f} m tall, "
        f"ground at {body['ground_m']:.3f} m"
    )
    for line in _range_lines(body):
        say(f"  {escape(line)}")
    for line in path_lines(facts["path"]):
        say(f"  {escape(line)}")
    if facts["in_place"]:
        say("  what its feet do on the ground is seen when it goes over it: poise run with --cycles")
    for point in CONTACTS if not facts["in_place"] else ():
        times = [f"{c['start']:.2f}–{c['end']:.2f}" for c in body["contacts"] if c["contact"] == point]
        more = f" … ({len(times)} in all)" if len(times) > _MOST_CONTACTS else ""
        say(f"  {point.replace('_', ' ')} on the ground (s): {', '.join(times[:_MOST_CONTACTS]) or 'never'}{more}")
    for group in ("smoothness",) if facts["in_place"] else ("feet", "smoothness"):
        for key, value in facts["quality"][group].items():
            if isinstance(value, float):
                label, unit, scale = name_metric(f"{group}.{key}")
                say(f"  {label}: {digits(scale * value)} {unit}".rstrip())


def _range_lines(body: dict[str, Any]) -> list[str]:
    """How bones are turned about themselves, and how often joints are outside a person's range."""
    hinge_names = [each["name"] for each in body["bodies"] if each["axes_from"] == "motion"]
    hinges = ", ".join(hinge_names) or "none"
    shares, beyond = body["beyond_range"]["frames_percent"], body["beyond_range"]["joints"]
    lines = [f"turned about their bones as the motion tells: {hinges}; the others as the rest pose has them (--axes)"]
    lines.append(
        f"joints outside a person's range: {shares[0]:.0f} % of the frames, by more than {LIMITS[-1]:g}° {shares[-1]:.0f} %"
    )
    for each in beyond[:_MOST_BEYOND]:
        most = f"{each['most_deg']:.0f}" if each["most_deg"] >= 1.0 else f"{each['most_deg']:.1g}"
        lines.append(f"  {each['joint']} {each['angle']}: {each['percent'][0]:.0f} % of the frames, at most {most}°")
    return lines


def _joint_table(clip: Clip, roles: Roles) -> Table:
    names = [
        "  " * (len(clip.skeleton.path(joint)) - 1) + escape(name) for joint, name in enumerate(clip.skeleton.names)
    ]
    table = Table(box=None, pad_edge=False)
    table.add_column("joint", overflow="fold", min_width=max(map(len, names)))
    for title in ("role", "decided by", "channels"):
        table.add_column(title, overflow="fold")
    channels = clip.source.channels or ((),) * len(clip.skeleton)
    for joint, name in enumerate(names):
        own = " ".join(channel.replace("position", "pos").replace("rotation", "rot") for channel in channels[joint])
        table.add_row(name, roles.by_joint[joint] or "", roles.reasons[joint], own)
    return table
