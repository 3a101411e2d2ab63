"""What breaks a run off: one line that says what happened and the likeliest cause; the ticks before it are kept."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from poise.errors import InputError, RunError
from poise.motion.edit import trim
from poise.world.overlap import overlaps

if TYPE_CHECKING:
    from poise.runtime.session import Session

__all__ = ["refuse_overlaps", "run_boundary"]

_DEEPEST = 0.03
"""How deep a physical limb may be inside a prop when a run begins [m]: what colliders and catalog differ by."""
_JUMP = 20.0
"""Speed of a character's own clip [m/s] that no person has."""


def refuse_overlaps(session: Session) -> None:
    """Raise `InputError` where a physical limb is inside something before the first tick.

    Nothing says on which side of it the limb should come out, and the force that decides would be tens of kilonewtons.
    """
    found = overlaps(session.world, _DEEPEST)
    if found:
        first = found[0]
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        raise InputError(
            f"{first.body} of {first.character} begins {100.0 * first.depth:.0f} cm inside {first.thing!r}{more}; move one of "
            "them, or let the limb follow its clip (anchors)"
        )


@contextmanager
def run_boundary(session: Session) -> Iterator[None]:
    """Turn whatever breaks off the ticks inside into one `RunError` with the likeliest cause."""
    try:
        yield
    except RunError as error:
        cause = _likeliest_cause(session)
        if not cause:
            raise
        error.args = (f"{error}; {cause}",)
        raise
    except MemoryError:
        raise RunError(
            f"memory ran out after {session.count} ticks; play a part of it (--limit bounds a run)"
        ) from None
    except (np.linalg.LinAlgError, FloatingPointError) as error:
        cause = _likeliest_cause(session) or "the cause is not known"
        raise RunError(f"the numbers broke down after {session.count} ticks ({error}); {cause}") from None


def _likeliest_cause(session: Session) -> str:
    """What was odd in the tick that failed: a clip that jumps, or the hardest contact."""
    time = session.count * session.clock.tick
    for name, who in session.characters.items():
        row = min(max(round(time * who.clip.rate), 1), len(who.clip) - 1)  # 0 of a single frame.
        if not row:
            continue
        near = trim(who.clip, row - 1, min(row + 2, len(who.clip)))
        positions, _ = near.world_positions()
        speed = float(np.linalg.norm(np.diff(positions, axis=0), axis=-1).max(initial=0.0)) * who.clip.rate
        if speed > _JUMP:
            return f"likeliest cause: the clip of {name} moves at {speed:.0f} m/s in frame {row + who.prepared.skipped}"
    if len(session.contacts.pairs):
        hardest = int(np.argmax(session.contacts.peak))
        first, second = (session.world.geom_names[geom] for geom in session.contacts.pairs[hardest])
        return f"the hardest contact before: {first} and {second}, {session.contacts.peak[hardest]:.0f} N"
    return ""
