"""One character in a session: its clip, its body, and who moves what."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.body.bones import measure_bones
from poise.body.build import build_body
from poise.body.capsules import body_capsules
from poise.body.coordinates import body_frames, generalized_from_clip
from poise.body.ground import ground_height
from poise.body.plan import BodyPlan
from poise.characters.blend_weights import blend_weights
from poise.characters.level import levelled
from poise.characters.options import ARMS, ROOTS, CharacterOptions
from poise.characters.prepare import Prepared, mended, smoothed
from poise.errors import InputError
from poise.hybrid.partition import anchored, find_named
from poise.metrics.penetration import pair_penetration
from poise.motion.clip import Clip
from poise.motion.roles import Roles, guess_roles
from poise.motion.skin import SkinnedMesh

__all__ = ["ARMS", "ROOTS", "Character", "CharacterOptions"]

Array = NDArray[np.float64]

_TOUCHING = 0.005


@dataclass(frozen=True, eq=False)
class Character:
    """Everything about a character that does not change while it moves.

    Args:
        prepared: Its clip, before and after preparation.
        roles: Anatomical roles of its joints.
        plan: Its body.
        modes: Who moves each joint at the start, shape (B,).
        options: How it was made.
        apart: Pairs of bodies that never touch one another.
        floor: Height of the ground its clip was recorded on [m].
        mesh: Its own skin, where its file has one.
    """

    prepared: Prepared
    roles: Roles
    plan: BodyPlan
    modes: NDArray[np.int64]
    options: CharacterOptions
    apart: tuple[tuple[str, str], ...]
    floor: float
    mesh: SkinnedMesh | None = None

    def __repr__(self) -> str:
        plan = self.plan
        return f"<Character of {len(plan)} bodies, {plan.total_mass:.1f} kg, {plan.stature:.2f} m: {self.clip!r}>"

    @property
    def skin(self) -> SkinnedMesh:
        """Its own skin, or a mannequin's."""
        # Slow to import (docs/architecture.md, decision 12).
        from poise.body.mannequin import cache_folder, mannequin

        return self.mesh or mannequin(self.prepared.source, self.plan, folder=cache_folder())

    @property
    def clip(self) -> Clip:
        """The motion that physics follows."""
        return self.prepared.clip

    @classmethod
    def from_clip(
        cls, clip: Clip, options: CharacterOptions | None = None, mesh: SkinnedMesh | None = None
    ) -> Character:
        """Guess roles, build a body, cut it at the anchors.

        Args:
            clip: The motion.
            options: How it becomes a character.
            mesh: The character's own skin, to which colliders are fitted.

        Raises:
            InputError: Roles are missing, an anchor is unknown or an option is out of range.
        """
        options = options or CharacterOptions()
        if options.level:
            clip = levelled(clip, guess_roles(clip.skeleton, options.roles), options.body)
        unfiltered = mended(clip, mending=options.mending)
        roles = guess_roles(clip.skeleton, options.roles)
        # The filter is slow to import, so what can be refused is refused before.
        _check(unfiltered.clip, roles, options)
        prepared = smoothed(unfiltered, options.cutoff)
        plan = build_body(prepared.clip, roles, options.body, mesh)
        blend_weights(plan, options.blend)
        keys = generalized_from_clip(plan, prepared.clip)
        frames = body_frames(plan, keys)
        return cls(
            prepared=prepared,
            roles=roles,
            plan=plan,
            modes=anchored(plan, options.anchors),
            options=options,
            apart=_apart(plan, keys, options.self_contact),
            floor=ground_height(plan, frames),
            mesh=mesh,
        )


def _check(clip: Clip, roles: Roles, options: CharacterOptions) -> None:
    """Raise `InputError` where no body can be made of a clip, or none with what is asked for."""
    try:
        bones = measure_bones(clip, roles, options.body)
    except InputError as error:
        raise InputError(error.problem, source=clip.source.path or clip.name, place=error.place) from error
    names = [clip.skeleton.names[joint] for joint in bones.joints]
    find_named(names, bones.roles, (*options.anchors, *(options.blend or {})))


def _apart(plan: BodyPlan, keys: Array, self_contact: bool) -> tuple[tuple[str, str], ...]:
    """Pairs of bodies that the clip itself brings into one another, or all pairs without self-contact.

    Capsules are a coarse likeness: where the clip presses an arm to the trunk they overlap, and pushing them apart would
    change a motion that was right.
    """
    bodies = np.arange(len(plan))
    if self_contact:
        picked = np.unique(np.linspace(0, len(keys) - 1, 200).astype(int))
        starts, ends, radii, bodies = body_capsules(plan, body_frames(plan, keys[picked]))
    each = np.stack(np.triu_indices(len(bodies), 1), axis=1)
    each = each[bodies[each[:, 0]] != bodies[each[:, 1]]]
    if self_contact:
        each = each[pair_penetration(starts, ends, radii, each).max(axis=0) > _TOUCHING]
    pairs = np.unique(bodies[each], axis=0)
    return tuple((plan.names[a], plan.names[b]) for a, b in pairs)


def unique_names(names: Iterable[str]) -> list[str]:
    """Names made unique by numbering repeats."""
    result: list[str] = []
    for name in names:
        number, candidate = 1, name
        while candidate in result:
            number += 1
            candidate = f"{name}{number}"
        result.append(candidate)
    return result
