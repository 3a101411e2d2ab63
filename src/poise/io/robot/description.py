"""Robot descriptions (MJCF, URDF) as XML: read with what they include, reduced to bodies, joints and simple shapes.

Motion needs no more than that. So meshes, textures, actuators and sensors are never opened, and a description whose meshes are
lost is as good as any; what is left is one text that refers to no other file.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from poise.errors import InputError, shown
from poise.io.files import read_text
from poise.io.robot.reduce import reduce_mjcf, reduce_urdf

__all__ = ["SUFFIXES", "RobotDescription", "is_robot", "read_robot_description"]

SUFFIXES = (".xml", ".mjcf", ".urdf")
"""How names of robot files end."""
_LONGEST = 20_000_000
_MOST_ELEMENTS, _DEEPEST, _MOST_INCLUDES = 50_000, 200, 50
_MOST_BODIES = 1000
"""More than any humanoid has, and as many as MuJoCo takes in well under a second: its time grows with their square."""


class RobotDescription(NamedTuple):
    """A robot as its file describes it.

    Args:
        path: The file.
        kind: "mjcf" or "urdf".
        xml: The reduced description in one text.
        meshes: Shapes left out, since they are meshes or height fields.
    """

    path: Path
    kind: str
    xml: str
    meshes: int


def is_robot(path: Path) -> bool:
    """Whether a file's name is that of a robot description."""
    return path.suffix.lower() in SUFFIXES


def read_robot_description(path: Path) -> RobotDescription:
    """Read a robot's MJCF or URDF with everything it includes.

    Raises:
        InputError: The file cannot be read, is too long, is no XML or no robot, or includes what is not in its folder.
    """
    root = _parse(path)
    if root.tag == "robot":
        meshes = reduce_urdf(root, path)
    elif root.tag == "mujoco":
        _include(root, path, path.resolve().parent, [path.resolve()])
        _check_size(root, path)
        meshes = reduce_mjcf(root, path)
    else:
        raise InputError(
            f"the XML is no robot: its outermost element is {shown(root.tag)}; allowed: mujoco (MJCF), robot (URDF)",
            source=path,
        )
    kind = "urdf" if root.tag == "robot" else "mjcf"
    return RobotDescription(path, kind, ElementTree.tostring(root, encoding="unicode"), meshes)


def _parse(path: Path) -> Element:
    text = read_text(path)
    if len(text) > _LONGEST:
        raise InputError(f"the file has {len(text)} characters; at most {_LONGEST} are read", source=path)
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise InputError("document types and entities are not taken; write out what they stand for", source=path)
    if "xacro:" in text:
        raise InputError(
            "this is a xacro template; make a URDF of it first (xacro robot.xacro > robot.urdf)", source=path
        )
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        line, _ = error.position
        raise InputError(f"is not XML: {str(error).split(':')[0]}", source=path, place=f"line {line}") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"is not XML: {error}", source=path) from None
    _check_size(root, path)
    return root


def _check_size(root: Element, path: Path) -> None:
    """Raise `InputError` where a tree is larger or deeper than any robot."""
    waiting, count, bodies = [(root, 0)], 0, 0
    while waiting:
        element, depth = waiting.pop()
        count, bodies = count + 1, bodies + (element.tag in ("body", "link"))
        if bodies > _MOST_BODIES:
            raise InputError(f"has more than {_MOST_BODIES} bodies; no more are read", source=path)
        if count > _MOST_ELEMENTS:
            raise InputError(f"has more than {_MOST_ELEMENTS} elements; no more are read", source=path)
        if depth > _DEEPEST:
            raise InputError(f"is nested too deeply; at most {_DEEPEST} levels are read", source=path)
        waiting += [(child, depth + 1) for child in element]


def _include(element: Element, path: Path, folder: Path, opened: list[Path]) -> None:
    """Put what `<include file="…"/>` names in its place, in `element` and below."""
    for place, child in reversed(list(enumerate(element))):
        if child.tag != "include":
            _include(child, path, folder, opened)
            continue
        file = _inside(child.get("file", ""), path, folder)
        if file in opened:
            raise InputError(f"includes {shown(child.get('file'))} twice", source=path, place="include")
        if len(opened) > _MOST_INCLUDES:
            raise InputError(f"includes more than {_MOST_INCLUDES} files; no more are read", source=path)
        opened.append(file)
        other = _parse(file)
        _include(other, path, folder, opened)
        element[place : place + 1] = list(other)


def _inside(name: str, path: Path, folder: Path) -> Path:
    try:
        file = (folder / name).resolve()
        inside = bool(name) and file.is_relative_to(folder)
    except (OSError, ValueError):
        inside = False
    if not inside:
        raise InputError(
            f"{shown(name)} is outside the file's folder; only files in it or below are read",
            source=path,
            place="include",
        )
    return file
