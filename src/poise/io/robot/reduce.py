"""What of a robot description says how it moves: bodies, joints, simple shapes. Everything else is taken out, in place."""

from __future__ import annotations

from collections.abc import Container
from pathlib import Path
from xml.etree.ElementTree import Element

from poise.errors import InputError, shown

__all__ = ["reduce_mjcf", "reduce_urdf"]

_SECTIONS = {"compiler", "default", "worldbody"}
_IN_BODIES = {"body", "frame", "joint", "freejoint", "inertial", "geom"}
_IN_DEFAULTS = {"default", "joint", "geom"}
_REFUSED = {"replicate", "attach"}
"""What makes bodies of other bodies; a robot that is written out has none."""
_COMPILER = {"angle", "autolimits", "eulerseq", "inertiafromgeom", "inertiagrouprange", "settotalmass"}
_MESH_TYPES = {"mesh", "hfield", "sdf"}
_MESH_ATTRIBUTES = ("mesh", "hfield")
_LOOKS = ("material", "fluidshape", "fluidcoef", "user")
_IN_LINKS = {"inertial", "collision", "visual"}


def reduce_mjcf(root: Element, path: Path) -> int:
    """Leave of an MJCF's tree what says how it moves; returns how many meshes were taken out.

    Raises:
        InputError: It makes bodies of others by `replicate` or `attach`, or has no bodies at all.
    """
    _keep(root, _SECTIONS)
    meshes, classes = 0, _mesh_classes(root)
    for section in root:
        if section.tag == "compiler":
            section.attrib = {key: value for key, value in section.attrib.items() if key in _COMPILER}
        elif section.tag == "default":
            _reduce_default(section)
        else:
            meshes += _reduce_bodies(section, classes, None, path)
    if root.find("worldbody/body") is None and root.find("worldbody/frame") is None:
        raise InputError("has no bodies", source=path, place="worldbody")
    return meshes


def _keep(element: Element, tags: Container[str]) -> None:
    element[:] = [child for child in element if child.tag in tags]


def _reduce_default(element: Element) -> None:
    _keep(element, _IN_DEFAULTS)
    for child in element:
        if child.tag == "default":
            _reduce_default(child)
        elif child.tag == "geom":
            if child.get("type") in _MESH_TYPES:
                del child.attrib["type"]
            _strip(child, (*_LOOKS, *_MESH_ATTRIBUTES))


def _mesh_classes(root: Element) -> set[str | None]:
    """Default classes whose shapes are meshes unless they say otherwise; None stands for the outermost."""
    found: set[str | None] = set()
    waiting: list[tuple[Element, bool, str | None]]
    waiting = [(section, False, None) for section in root if section.tag == "default"]
    while waiting:
        section, inherited, outer = waiting.pop()
        name = section.get("class") or outer
        geom = section.find("geom")
        kind = None if geom is None else geom.get("type")
        mesh = inherited if kind is None else kind in _MESH_TYPES
        if mesh:
            found.add(name)
        waiting += [(child, mesh, name) for child in section if child.tag == "default"]
    return found


def _reduce_bodies(element: Element, classes: set[str | None], inherited: str | None, path: Path) -> int:
    meshes, kept = 0, []
    for child in element:
        if child.tag in _REFUSED:
            raise InputError(f"{shown(child.tag)} is not taken; write out the bodies it makes", source=path)
        if child.tag not in _IN_BODIES:
            continue
        if child.tag == "geom":
            shape = child.get("class") or inherited
            mesh = child.get("type") in _MESH_TYPES or (child.get("type") is None and shape in classes)
            if mesh or any(name in child.attrib for name in _MESH_ATTRIBUTES):
                meshes += 1
                continue
            _strip(child, _LOOKS)
        meshes += _reduce_bodies(child, classes, child.get("childclass") or inherited, path)
        kept.append(child)
    element[:] = kept
    return meshes


def _strip(element: Element, names: tuple[str, ...]) -> None:
    for name in names:
        element.attrib.pop(name, None)


def reduce_urdf(root: Element, path: Path) -> int:
    """Leave of a URDF's tree what says how it moves; returns how many meshes were taken out.

    Raises:
        InputError: It has no links.
    """
    _keep(root, ("link", "joint"))
    if root.find("link") is None:
        raise InputError("has no links", source=path)
    meshes = 0
    for link in root.iter("link"):
        _keep(link, _IN_LINKS)
        meshes += sum(shape.find("geometry/mesh") is not None for shape in link)
        # Looks would count as shapes that touch the ground; they stay out as they do in a simulator.
        link[:] = [part for part in link if part.tag == "inertial" or _is_simple(part)]
        for part in link:
            part.attrib.pop("name", None)
    return meshes


def _is_simple(part: Element) -> bool:
    return part.tag == "collision" and part.find("geometry/mesh") is None and part.find("geometry") is not None
