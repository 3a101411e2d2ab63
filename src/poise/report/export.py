"""A recording as a NumPy file: states, contacts with impulses, torques per tick."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np

from poise.io import write_bytes
from poise.runtime.session import Session

__all__ = ["write_recording"]


def write_recording(path: str | Path, session: Session) -> None:
    """Write a session's recording as `.npz`; arrays only, readable without Poise and without pickle.

    Keys: `tick` [s]; `times` (N+1,), `positions` (N+1, nq), `velocities` (N+1, nv) at tick ends, the first row being the
    start, and `source`, `kinematic` and `output` (N+1, nq), the characters' input and kinematic skeletons and what was shown
    between the latter and `positions` by the blend weights; `grips` (N+1, characters, left and right, 2), how far hands are
    closed and the curvature of what they hold [1/m]; `torques` (N, nv) [N m],
    `stiffness` (N, muscles) [N m/rad], `modes` (N, joints; 0 passive, 1 torque, 2 motion); `contact_*` one row per tick and
    touching pair (tick, pair, impulse [N s], peak [N], start [s], point [m], normal); `geom_names`; `event_*`;
    per character `<name>/joints`, `<name>/bodies`, `<name>/positions` and
    `<name>/velocities` (its slice of nq and of nv). Markers that were given with the clip are kept as they lie beside it:
    `markers_names` (M,), `markers_positions` [m] (F, M, 3), nan where not seen, `markers_valid` (F, M) and `markers_rate` [Hz];
    they begin with the clip's first frame.

    How long it took is not in it: the same run gives the same bytes.

    Raises:
        InputError: The file cannot be written.
    """
    recording = session.recording()
    arrays: dict[str, object] = {
        "schema": "poise-recording-1",
        "tick": recording.tick,
        "times": recording.times,
        "positions": recording.positions,
        "velocities": recording.velocities,
        "source": recording.source,
        "kinematic": recording.kinematic,
        "output": recording.output,
        "grips": recording.grips,
        "torques": recording.torques,
        "stiffness": recording.stiffness,
        "modes": recording.modes,
        "geom_names": np.array(recording.geom_names),
        "event_time": np.array([event.time for event in recording.events]),
        "event_kind": np.array([event.kind for event in recording.events], dtype=np.str_),
        "event_subject": np.array([event.subject for event in recording.events], dtype=np.str_),
    }
    arrays |= {f"contact_{name}": column for name, column in recording.contacts._asdict().items()}
    for name, character in session.characters.items():
        layout = session.world.layout(name)
        arrays[f"{name}/joints"] = np.array(character.plan.skeleton.names)
        arrays[f"{name}/bodies"] = np.array(character.plan.names)
        arrays[f"{name}/positions"] = np.array([layout.positions.start, layout.positions.stop])
        arrays[f"{name}/velocities"] = np.array([layout.velocities.start, layout.velocities.stop])
    markers = session.setting.markers
    if markers is not None:
        arrays |= {"markers_names": np.array(markers.names), "markers_positions": markers.positions}
        arrays |= {"markers_valid": markers.seen, "markers_rate": markers.rate}
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)  # type: ignore[arg-type]
    write_bytes(Path(path), buffer.getvalue())
