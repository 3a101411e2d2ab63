"""The joints of a character: names, parents, offsets. Topology is an array, not a tree of objects."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError, shown, unknown_name

__all__ = ["LONGEST_NAME", "Skeleton"]

LONGEST_NAME = 255
"""Letters of a joint's name at most, more than any file of a person has: each is printed, and told with all others."""


def _frozen(array: NDArray[np.generic]) -> None:
    array.setflags(write=False)


@dataclass(frozen=True, eq=False)
class Skeleton:
    """Joints with parents before children; joint 0 is the root.

    The bind pose has every rotation at the identity, so `offsets` are also the bind pose in the design's frame
    (Z up, metres).

    Args:
        names: Joint names, each once, in the file's order.
        parents: Parent of each joint, shape (J,); -1 for the root only, otherwise less than the joint's own index.
        offsets: Position of each joint in its parent's frame [m], shape (J, 3).
        end_parents: Joint each end site hangs on, shape (E,).
        end_offsets: Position of each end site in that joint's frame [m], shape (E, 3).
        declared: The role (`poise.motion.roles.ROLES`) each joint has according to its file, or None; empty where the file
            says nothing.

    Raises:
        InputError: Shapes disagree, a name occurs twice or is longer than 255 letters, the order is wrong or a number is not
            finite.
    """

    names: tuple[str, ...]
    parents: NDArray[np.int64]
    offsets: NDArray[np.float64]
    end_parents: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    end_offsets: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 3)))
    declared: tuple[str | None, ...] = ()

    def __repr__(self) -> str:
        return f"<Skeleton of {len(self.names)} joints, {self.names[0]} at the root>"

    def __post_init__(self) -> None:
        set_ = object.__setattr__
        set_(self, "names", tuple(self.names))
        set_(self, "declared", tuple(self.declared))
        set_(self, "parents", np.array(self.parents, dtype=np.int64))
        set_(self, "offsets", np.array(self.offsets, dtype=np.float64))
        set_(self, "end_parents", np.array(self.end_parents, dtype=np.int64))
        set_(self, "end_offsets", np.array(self.end_offsets, dtype=np.float64).reshape(-1, 3))
        self._validate()
        for array in (self.parents, self.offsets, self.end_parents, self.end_offsets):
            _frozen(array)

    def _validate(self) -> None:
        count = len(self.names)
        if count == 0:
            raise InputError("a skeleton needs at least one joint")
        if self.parents.shape != (count,) or self.offsets.shape != (count, 3):
            raise InputError(
                f"{count} names need parents of shape ({count},) and offsets of shape ({count}, 3); "
                f"got {self.parents.shape} and {self.offsets.shape}"
            )
        longest = max(self.names, key=len)
        if len(longest) > LONGEST_NAME:
            raise InputError(f"a joint's name has at most {LONGEST_NAME} letters; {shown(longest)} has {len(longest)}")
        if len(set(self.names)) != count:
            twice = sorted({name for name in self.names if self.names.count(name) > 1})
            raise InputError(f"joint names must be unique; used twice: {', '.join(twice)}")
        order = np.arange(count)
        if self.parents[0] != -1 or np.any(self.parents[1:] < 0) or np.any(self.parents >= order):
            raise InputError("joint 0 must be the only root (parent -1) and parents must come before children")
        if np.any((self.end_parents < 0) | (self.end_parents >= count)):
            raise InputError(f"an end site hangs on a joint outside 0…{count - 1}")
        if self.declared and len(self.declared) != count:
            raise InputError(f"{count} names need as many declared roles; got {len(self.declared)}")
        if len(self.end_parents) != len(self.end_offsets):
            raise InputError("end_parents and end_offsets must have the same length")
        if not (np.isfinite(self.offsets).all() and np.isfinite(self.end_offsets).all()):
            raise InputError("joint offsets must be finite numbers")

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def _index(self) -> dict[str, int]:
        return {name: index for index, name in enumerate(self.names)}

    def index(self, name: str) -> int:
        """Index of the joint called `name`; raises `InputError` with the known names otherwise."""
        try:
            return self._index[name]
        except KeyError:
            raise unknown_name("joint", name, self.names) from None

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """Children of each joint, in file order."""
        lists: list[list[int]] = [[] for _ in self.names]
        for joint, parent in enumerate(self.parents[1:], start=1):
            lists[parent].append(joint)
        return tuple(tuple(each) for each in lists)

    def path(self, joint: int) -> list[int]:
        """Joints from the root down to `joint`, both included."""
        chain = [joint]
        while self.parents[chain[-1]] >= 0:
            chain.append(int(self.parents[chain[-1]]))
        return chain[::-1]

    def descendants(self, joint: int) -> list[int]:
        """`joint` and everything below it, in file order."""
        inside = np.zeros(len(self), dtype=bool)
        inside[joint] = True
        for child in range(joint + 1, len(self)):
            inside[child] = inside[self.parents[child]]
        return [int(j) for j in np.flatnonzero(inside)]
