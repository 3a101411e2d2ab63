"""The inverse kinematics by itself (III.B, Figs. 4, 6, 7, 10): ends on their goals, bones as long as they were, few passes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import body_frames
from poise.body.layout import turn_slice
from poise.ik import LimbGoals, LimbOptions, LimbSolver, TreeSolver, relaxed_positions
from poise.math import quat
from poise.reproductions.check import Trial, claim, invariant
from poise.reproductions.hu2024.subject import walker
from poise.reproductions.once import once
from poise.reproductions.pictures import figure, save_figure
from poise.reproductions.row import Row

__all__ = ["CHECKS", "picture"]

Array = NDArray[np.float64]

_GOALS = 500
_CHAIN = 200
_PASSES = 10
_FURTHEST = 0.95
"""Goals lie up to this share of the reach away."""


@once
def limbs(weight: float = 1.0, poled_weight: float = 1.0) -> tuple[Array, float]:
    """Ends' misses [m] of four limbs to random goals of a weight, and how far a pole moves the ends [m]."""
    plan, _ = walker()
    solver, rng = LimbSolver(plan, LimbOptions(limits=False)), np.random.default_rng(0)
    rows = np.tile(relaxed_positions(plan), (_GOALS, 1))
    root, middle, end = (solver.bodies[:, k] for k in range(3))
    before = body_frames(plan, rows).positions
    reach = np.linalg.norm(before[:, middle] - before[:, root], axis=2) + solver.lower_lengths
    away = rng.normal(size=(_GOALS, 4, 3))
    away /= np.linalg.norm(away, axis=2, keepdims=True)
    goals = LimbGoals.none(_GOALS, 4)
    goals.positions[:] = before[:, root] + away * (reach * rng.uniform(0.6, _FURTHEST, reach.shape))[..., None]
    goals.weights[..., 0] = weight
    reached = rows.copy()
    solver.solve(reached, goals)
    plain = body_frames(plan, reached).positions
    goals.poles[:] = before[:, root] + rng.normal(size=(_GOALS, 4, 3))
    goals.weights[..., 0], goals.weights[..., 2] = poled_weight, 1.0
    solver.solve(rows, goals)
    poled = body_frames(plan, rows).positions
    misses = np.linalg.norm(plain[:, end] - goals.positions, axis=2)
    return misses, float(np.linalg.norm(poled[:, end] - plain[:, end], axis=2).max())


def _bent(rng: np.random.Generator, chain: list[int], share: float) -> Array:
    """At ease, with the joints of a chain anywhere within a share of their limits."""
    plan, _ = walker()
    row = relaxed_positions(plan)
    for body in chain:
        angles = share * rng.uniform(plan.limits[body].lower, plan.limits[body].upper)
        turn = quat.mul(quat.exp([angles[0], angles[1], 0.0]), quat.exp([0.0, 0.0, angles[2]]))
        row[turn_slice(body)] = quat.mul(quat.mul(quat.conj(plan.neutral[body]), turn), plan.neutral[body])
    return row


@once
def chains(most: int = _PASSES) -> tuple[Array, Array, Array, Array]:
    """Passes and misses [m] of the chain from pelvis to head, without limits and within them, each (n,); always warm.

    Without limits goals lie at up to 95 % of the reach; with them they are places that the limits allow.
    """
    plan, _ = walker()
    head = plan.with_role("head")[0]
    chain = [head]
    while plan.parents[chain[0]] > 0:
        chain.insert(0, int(plan.parents[chain[0]]))
    found: list[tuple[Array, Array]] = []
    for limited in (False, True):
        rng, row = np.random.default_rng(1), relaxed_positions(plan)
        solver = TreeSolver(plan, 0, [head], tolerance=1e-3, passes=most, limits=limited)
        first = body_frames(plan, row).positions[0, chain[0]]
        reach = float(np.linalg.norm(plan.offsets[chain[1:]], axis=1).sum())
        passes, misses = [], []
        for _ in range(_CHAIN):
            away = rng.normal(size=3) + np.array([0.0, 0.0, 1.0])
            goal = first + away / np.linalg.norm(away) * reach * rng.uniform(0.5, _FURTHEST)
            if limited:
                goal = body_frames(plan, _bent(rng, chain[:-1], 0.9)).positions[0, head]
            start = body_frames(plan, row).positions[0, head]
            for share in np.linspace(0.2, 1.0, 5):
                used, _ = solver.solve(row, (start + share * (goal - start))[None])
                passes.append(used)
            misses.append(np.linalg.norm(body_frames(plan, row).positions[0, head] - goal))
        found.append((np.array(passes, dtype=np.float64), np.array(misses)))
    return (*found[0], *found[1])


@invariant("limbs in closed form", broken="goals have half their weight", cases=4 * _GOALS)
def limb_miss(trial: Trial) -> Row:
    """Worst end of 2000 limbs."""
    worst = 1e3 * float(limbs(1.0 if trial.on else 0.5)[0].max())
    return Row(
        "hu2024/ik-limb-exact",
        "The end joint is determined by the desired position (III.B): 2000 arms and legs, goals at 60 to 95 % of their reach, "
        "met in one pass within 1e-6 mm",
        None,
        worst,
        "mm",
        worst < 1e-6,
    )


@invariant("limbs in closed form", broken="the end has no goal while the pole moves", cases=4 * _GOALS)
def pole_moves_middle_only(trial: Trial) -> Row:
    """How far the pole moves the ends."""
    worst = 1e3 * limbs(poled_weight=float(trial.on))[1]
    return Row(
        "hu2024/ik-pole-moves-middle",
        "Moving the pole moves the middle joint only (Fig. 10): the end stays within 1e-6 mm",
        None,
        worst,
        "mm",
        worst < 1e-6,
    )


@claim("passes until the goal is met", off="TreeSolver(passes=1)", cases=_CHAIN)
def chain_miss(trial: Trial) -> Row:
    """Worst end of the free chain."""
    passes, misses, _, _ = chains(_PASSES if trial.on else 1)
    worst, most = 1e3 * float(misses.max()), float(np.percentile(passes, 95.0))
    return Row(
        "hu2024/ik-chain",
        "FABRIK with both passes (Eq. 1 prints one half) brings pelvis-to-head chains to goals at up to 95 % of their reach, "
        f"all within {_PASSES} passes, warm. It stops once it is within 1 mm, so what it misses ({worst:.3g} mm) says little: "
        "passes that 95 of 100 goals take, at most half of those",
        None,
        most,
        "passes",
        worst <= 1.0 and most <= 0.5 * _PASSES,
    )


@claim("passes until the goal is met", off="TreeSolver(passes=1)", cases=_CHAIN)
def limited_chain_miss(trial: Trial) -> Row:
    """Worst end of the chain within joint limits."""
    _, _, passes, misses = chains(_PASSES if trial.on else 1)
    worst = 1e3 * float(misses.max())
    return Row(
        "hu2024/ik-limited-chain",
        "The same within joint limits, to places that 90 % of the limits allow; used "
        f"{passes.mean():.1f} passes on average, {passes.max():.0f} at most",
        None,
        worst,
        "mm",
        bool(worst <= 1.0 and passes.max() <= _PASSES),
    )


CHECKS = (limb_miss, pole_moves_middle_only, chain_miss, limited_chain_miss)


def picture(folder: Path) -> Path:
    """How many passes the chains need."""
    free, _, limited, _ = chains()
    sheet, axes = figure("FABRIK from pelvis to head: passes until the goal is met within 1 mm (Hu 2024, III.B)", 1, 1)
    bins = np.arange(-0.5, _PASSES + 1.0)
    axes[0, 0].hist([free, limited], bins=bins, label=["free, to 95 % of the reach", "within joint limits"])
    axes[0, 0].set(xlabel="passes", ylabel="goals", xticks=np.arange(_PASSES + 1))
    axes[0, 0].legend()
    return save_figure(sheet, folder, "hu2024_chain")
