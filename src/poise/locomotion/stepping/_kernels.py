"""Compiled step planning; state arrays are changed in place. Motions of the plane are (x, y, yaw)."""

from __future__ import annotations

import numpy as np

from poise.locomotion.stepping._planar import between, carried, carrier, displacement, eased, wrapped
from poise.math._compile import njit

_NONE, _CATCH, _FOLLOW, _SETTLE = 0, 1, 2, 3
_TICK, _PENDULUM, _HOME, _DURATION, _HEIGHT, _MARGIN, _APART, _STEPS = 0, 1, 2, 3, 4, 5, 6, 7
_AIM = 0.06
"""Time constant with which a swinging foot's landing place follows the capture point [s]."""
_FROZEN, _FROZEN_STEP = 0.8, 0.7
"""From this share of a swing of the clip's, or of a step beside it, on it does no more."""
_TURNS_HOME = 0.2
"""How much each step turns a body back at most [rad]."""
_SOON, _LATER = 0.15, 0.4
"""No step to catch, or to follow, begins where the clip's own next one comes within this time [s]."""
_LEFT_BEHIND, _CALM = 0.03, 0.25
"""A foot this far from the other one's displacement follows it [m], once the body moves this little [m/s]."""
_RISES = 0.08
"""For this share of a step beside the clip's own its foot only rises, and in the end it only sinks: else it would slide."""
_FOLLOWS = 1.5
"""How fast the intended root goes where the feet go [Hz]."""
_SINKS = 2.5
"""How fast the intended root's height changes [Hz]."""
_LOWEST = -0.25
"""The intended root sinks no further [m]."""
_STRETCHED = 0.985
"""A leg is taken to reach this share of its length, or as far as the clip stretches it."""
_SLACK = 0.001
"""A leg that lacks less than this does not lower the root [m]: nearly straight knees would never leave it alone."""
_ENDS, _GOES_ON, _STANDS = 0.7, 0.5, 0.05
"""How long the end of a stopped walk takes, its going on, and how long the clip stands before [s]."""
_BESIDE, _BETWEEN, _OVER = 0.05, 0.15, 0.03
"""Feet further one behind the other than this are put side by side, this far apart at least; the root is this far before them
[m]."""


@njit(cache=True)
def _put(row, values):
    row[0], row[1], row[2] = values


@njit(cache=True)
def _now(state, foot, x, y):
    """The motion a foot is led by at present."""
    return between(state.placed[foot], state.landing[foot], state.swing[0, foot], x, y)


@njit(cache=True)
def homed(capture, home):
    """A displacement to land at: the capture point's, brought home by a bounded way and turn."""
    size = np.sqrt(capture[0] ** 2 + capture[1] ** 2)
    share = max(0.0, 1.0 - home / max(size, 1e-9))
    turn = capture[2]
    turn = np.sign(turn) * max(0.0, abs(turn) - _TURNS_HOME)
    return capture[0] * share, capture[1] * share, turn


@njit(cache=True)
def _kept_apart(state, foot, motion, spots, heading, numbers):
    """A landing motion whose foothold stays on the foot's own side of the other foot."""
    side = 1.0 if foot == 0 else -1.0
    c, s = np.cos(motion[2]), np.sin(motion[2])
    left_x, left_y = -heading[1], heading[0]
    mine, other = spots[foot], spots[1 - foot]
    here, there = carried(motion, mine[0], mine[1]), carried(state.placed[1 - foot], other[0], other[1])
    wide = side * ((here[0] - there[0]) * left_x + (here[1] - there[1]) * left_y)
    own_x, own_y = mine[0] - other[0], mine[1] - other[1]
    own = side * ((c * own_x - s * own_y) * left_x + (s * own_x + c * own_y) * left_y)
    lacks = min(numbers[_APART], own) - wide
    if lacks <= 0.0:
        return motion
    return motion[0] + side * lacks * left_x, motion[1] + side * lacks * left_y, motion[2]


@njit(cache=True)
def _shift_swings(state, numbers, phase, swings, spots, capture, moment):
    """The clip's own swings carry feet from where they stood to where the body is caught, over what is in their way."""
    root, heading, (shifts, raised, level, _) = moment[0], moment[3], moment[7]
    (lifts, lands), x, y = swings, root[0], root[1]
    for foot in range(2):
        aloft = np.isfinite(lifts[foot]) and np.isfinite(lands[foot])
        was = state.swing[2, foot] > 0.0
        if aloft:
            share = (phase[1] - lifts[foot]) / max(lands[foot] - lifts[foot], 1e-6)
            if not was and state.kind[foot] != _NONE:
                _put(state.placed[foot], _now(state, foot, x, y))
                state.kind[foot] = _NONE
            if share < _FROZEN:
                want = (
                    homed(capture, numbers[_HOME]) if numbers[_STEPS] > 0.0 else displacement(state.placed[foot], x, y)
                )
                want = (want[0] + shifts[foot, 0], want[1] + shifts[foot, 1], want[2])
                old = displacement(state.landing[foot], x, y)
                # As fast as the clip's time runs: a swing that stands still goes nowhere.
                part = min(1.0, phase[2] * numbers[_TICK] / _AIM) if was else 1.0
                away = (
                    old[0] + part * (want[0] - old[0]),
                    old[1] + part * (want[1] - old[1]),
                    old[2] + part * wrapped(want[2] - old[2]),
                )
                motion = carrier(away, x, y)
                if away[0] != 0.0 or away[1] != 0.0 or away[2] != 0.0:
                    motion = _kept_apart(state, foot, motion, spots, heading, numbers)
                _put(state.landing[foot], motion)
            state.swing[0, foot], state.swing[1, foot], state.swing[3, foot] = eased(share), raised[foot], level[foot]
        elif state.kind[foot] == _NONE:
            if was:
                for axis in range(state.landing.shape[1]):  # number by number: an array would compile a message's words
                    state.placed[foot, axis] = state.landing[foot, axis]
                state.rise[foot, 0] = state.rise[foot, 1]
            state.swing[0, foot], state.swing[1, foot], state.swing[3, foot] = 0.0, 0.0, 0.0
        state.swing[2, foot] = 1.0 if aloft else 0.0


@njit(cache=True)
def _catching_foot(across, along, heading, places):
    """Which foot catches: the one on the side the body goes to, or that which is farther behind."""
    if abs(across) > abs(along):
        return 0 if across > 0.0 else 1
    ahead = (places[0, 0] - places[1, 0]) * heading[0] + (places[0, 1] - places[1, 1]) * heading[1]
    return 0 if (ahead < 0.0) == (along > 0.0) else 1


@njit(cache=True)
def _settling_foot(state, feet, heading):
    """The rear foot of a stopped walk and the motion that puts it beside the other; -1 where they are side by side."""
    one, other = carried(state.placed[0], feet[0, 0], feet[0, 1]), carried(state.placed[1], feet[1, 0], feet[1, 1])
    ahead = (one[0] - other[0]) * heading[0] + (one[1] - other[1]) * heading[1]
    if abs(ahead) <= _BESIDE:
        return -1, (0.0, 0.0, 0.0)
    foot = 0 if ahead < 0.0 else 1
    side = 1.0 if foot == 0 else -1.0
    mine, stands = (one, other) if foot == 0 else (other, one)
    left_x, left_y = -heading[1], heading[0]
    wide = side * ((mine[0] - stands[0]) * left_x + (mine[1] - stands[1]) * left_y)
    wide = side * max(wide, _BETWEEN)
    goal_x, goal_y = stands[0] + wide * left_x, stands[1] + wide * left_y
    placed = state.placed[foot]
    return foot, (placed[0] + goal_x - mine[0], placed[1] + goal_y - mine[1], placed[2])


@njit(cache=True)
def _left_behind(one, other):
    """Whether the feet are displaced by so different ways that one has to follow the other."""
    return np.hypot(one[0] - other[0], one[1] - other[1]) > _LEFT_BEHIND


@njit(cache=True)
def _beside_segment(place, one, other):
    """From the nearest place between two others to a place."""
    x, y = other[0] - one[0], other[1] - one[1]
    along = ((place[0] - one[0]) * x + (place[1] - one[1]) * y) / max(x * x + y * y, 1e-12)
    share = min(max(along, 0.0), 1.0)
    return place[0] - one[0] - share * x, place[1] - one[1] - share * y


@njit(cache=True)
def _begin_step(state, numbers, phase, spots, capture, moment, settling):
    """Begin a step beside the clip's own where one is due; returns its kind and foot, -1 for none."""
    root, _, speed, heading, feet = moment[0], moment[1], moment[2], moment[3], moment[4]
    x, y, last = root[0], root[1], feet.shape[0] - 1
    one, other = displacement(state.placed[0], x, y), displacement(state.placed[1], x, y)
    if state.stop[1] > 0.0:
        middle_x, middle_y = state.offset[0], state.offset[1]
    else:
        middle_x, middle_y = 0.5 * (one[0] + other[0]), 0.5 * (one[1] + other[1])
    out_x, out_y = capture[0] - middle_x, capture[1] - middle_y
    if moment[7][3]:
        out_x, out_y = _beside_segment(capture, one, other)
    along, across = out_x * heading[0] + out_y * heading[1], heading[0] * out_y - heading[1] * out_x
    soon = (phase[3] - phase[1]) / max(phase[2], 1e-6)
    foot, kind, motion = -1, _NONE, carrier(capture, x, y)
    if np.sqrt(along**2 + across**2) > numbers[_MARGIN] and soon > _SOON:
        foot, kind = _catching_foot(across, along, heading, state.places), _CATCH
        motion = _kept_apart(state, foot, motion, spots, heading, numbers)
    elif settling:
        foot, motion = _settling_foot(state, feet[last], heading)
        kind = _SETTLE
    elif state.stop[1] == 0.0 and soon > _LATER and _left_behind(one, other) and np.hypot(speed[0], speed[1]) < _CALM:
        far = np.hypot(one[0] - capture[0], one[1] - capture[1])
        farther = np.hypot(other[0] - capture[0], other[1] - capture[1])
        foot, kind = (0 if far >= farther else 1), _FOLLOW
    if foot < 0:
        return -1
    if state.swing[2, foot] > 0.0:
        _put(state.placed[foot], _now(state, foot, x, y))
    _put(state.landing[foot], motion)
    state.kind[foot], state.begun[foot] = kind, phase[0]
    return 2 * kind + foot


@njit(cache=True)
def _advance_steps(state, numbers, phase, spots, capture, root, heading):
    """Bring steps beside the clip's own on by a tick."""
    x, y = root[0], root[1]
    for foot in range(2):
        kind = state.kind[foot]
        if kind == _NONE:
            continue
        share = (phase[0] + numbers[_TICK] - state.begun[foot]) / numbers[_DURATION]
        if share < _FROZEN_STEP and kind == _CATCH:
            old, part = displacement(state.landing[foot], x, y), min(1.0, numbers[_TICK] / _AIM)
            away = (
                old[0] + part * (capture[0] - old[0]),
                old[1] + part * (capture[1] - old[1]),
                old[2] + part * wrapped(capture[2] - old[2]),
            )
            _put(state.landing[foot], _kept_apart(state, foot, carrier(away, x, y), spots, heading, numbers))
        elif share < _FROZEN_STEP and kind == _FOLLOW:
            for axis in range(3):
                state.landing[foot, axis] = state.placed[1 - foot, axis]
        state.swing[0, foot] = eased((share - _RISES) / (1.0 - 2.0 * _RISES))
        state.swing[1, foot] = numbers[_HEIGHT] * np.sin(np.pi * min(share, 1.0)) ** 2
        if share >= 1.0:
            for axis in range(3):
                state.placed[foot, axis] = state.landing[foot, axis]
            state.rise[foot, 0] = state.rise[foot, 1]
            state.kind[foot], state.swing[0, foot], state.swing[1, foot] = _NONE, 0.0, 0.0


@njit(cache=True)
def _lead_feet(state, before, numbers, feet, ankles, out):
    """Where the feet are at the end of each substep."""
    places, turns, flat = out
    count = feet.shape[0]
    for foot in range(2):
        placed, led, landing = state.placed[foot], state.led[foot], state.landing[foot]
        weight, old = state.swing[0, foot], before[0, foot]
        climbs = weight > old
        if not (climbs and old > 0.0):
            led = landing
        for row in range(count):
            part = (row + 1.0) / count
            share = old + part * (weight - old) if climbs else weight
            x, y = feet[row, foot, 0], feet[row, foot, 1]
            start, one, two = carried(placed, x, y), carried(led, x, y), carried(landing, x, y)
            aim_x, aim_y = one[0] + part * (two[0] - one[0]), one[1] + part * (two[1] - one[1])
            places[row, foot, 0] = start[0] + share * (aim_x - start[0])
            places[row, foot, 1] = start[1] + share * (aim_y - start[1])
            rise = state.rise[foot, 0] + share * (state.rise[foot, 1] - state.rise[foot, 0])
            level = eased(state.stop[2]) + part * (eased(state.stop[1]) - eased(state.stop[2]))
            sole = before[3, foot] + part * (state.swing[3, foot] - before[3, foot])
            flat[row, foot] = max(level, sole)
            height = feet[row, foot, 2] + level * (ankles[foot] - feet[row, foot, 2])
            lift = before[1, foot] + part * (state.swing[1, foot] - before[1, foot])
            places[row, foot, 2] = height + rise + lift
            turns[row, foot] = placed[2] + share * wrapped(landing[2] - placed[2])
        for axis in range(3):
            state.led[foot, axis] = landing[axis]
            state.places[foot, axis] = places[count - 1, foot, axis]


@njit(cache=True)
def _approach(state, axis, goal, frequency, tick):
    """Critically damped way of the intended root's displacement to a goal, implicit."""
    omega = 2.0 * np.pi * frequency
    away = goal - state.offset[axis]
    state.rate[axis] = (state.rate[axis] + tick * omega * omega * away) / (1.0 + omega * tick) ** 2
    state.offset[axis] += tick * state.rate[axis]
    small = 1e-7
    if goal == 0.0 and abs(state.offset[axis]) < small and abs(state.rate[axis]) < 10.0 * small:
        state.offset[axis], state.rate[axis] = 0.0, 0.0


@njit(cache=True)
def _reached(state, moment, bones):
    """How much the root has to sink for both legs to reach, and how far it may rise at most, relative to the clip [m]."""
    root, away, speed, feet, hips = moment[0], moment[1], moment[2], moment[4], moment[5]
    last = feet.shape[0] - 1
    ahead = (away[0] + 0.05 * speed[0], away[1] + 0.05 * speed[1], away[2])
    motion = carrier(ahead, root[0], root[1])
    drop, tall = np.inf, np.inf
    for foot in range(2):
        square = 0.0
        for axis in range(3):
            square += (hips[foot, axis] - feet[last, foot, axis]) ** 2
        stretched = _STRETCHED * bones[foot]
        hip = carried(motion, hips[foot, 0], hips[foot, 1])
        level = (hip[0] - state.places[foot, 0]) ** 2 + (hip[1] - state.places[foot, 1]) ** 2
        base = state.places[foot, 2] - state.swing[1, foot] - hips[foot, 2]
        drop = min(drop, base + np.sqrt(max(max(stretched, np.sqrt(square)) ** 2 - level, 0.01)))
        tall = min(tall, base + np.sqrt(max(stretched**2 - level, 0.01)))
    return drop, tall


@njit(cache=True)
def _lead_root(state, numbers, moment, bones, settled):
    """The intended root goes where the feet go, and no higher than legs reach."""
    root, heading = moment[0], moment[3]
    x, y, tick = root[0], root[1], numbers[_TICK]
    one, other = _now(state, 0, x, y), _now(state, 1, x, y)
    one, other = displacement(one, x, y), displacement(other, x, y)
    goal_x, goal_y = 0.5 * (one[0] + other[0]), 0.5 * (one[1] + other[1])
    turn = one[2] + 0.5 * wrapped(other[2] - one[2])
    if settled > 0.0:
        over_x = 0.5 * (state.places[0, 0] + state.places[1, 0]) + _OVER * heading[0] - x
        over_y = 0.5 * (state.places[0, 1] + state.places[1, 1]) + _OVER * heading[1] - y
        goal_x, goal_y = goal_x + settled * (over_x - goal_x), goal_y + settled * (over_y - goal_y)
    _approach(state, 0, goal_x, _FOLLOWS, tick)
    _approach(state, 1, goal_y, _FOLLOWS, tick)
    _approach(state, 2, turn, _FOLLOWS, tick)
    drop, tall = _reached(state, moment, bones)
    rise = 0.0
    for foot in range(2):
        rise += 0.5 * (state.rise[foot, 0] + state.swing[0, foot] * (state.rise[foot, 1] - state.rise[foot, 0]))
    height = min(rise, drop + _SLACK)
    if settled > 0.0:
        height += settled * (tall - height)
    _approach(state, 3, max(height, _LOWEST), _SINKS, tick)


@njit(cache=True)
def ease(stop, settling, tick):
    """Bring standing at ease on by a tick, or take it back."""
    stop[2] = stop[1]
    stop[1] = min(max(stop[1] + (tick / _ENDS if settling else -tick / _GOES_ON), 0.0), 1.0)


@njit(cache=True)
def plan(state, numbers, phase, swings, spots, moment, legs, out):
    """One tick of `poise.locomotion.stepping.StepPlanner`; returns twice the kind of the step that began plus its foot, or -1.

    Args:
        state: `StepState`; written.
        numbers: What the planner holds of its options.
        phase: The times, the pace and when the clip lifts a foot next.
        swings: When each foot lifted and when it lands, NaN while it stands.
        spots: Where the clip's feet are or land, shape (2, 3).
        moment: What `StepMoment` holds from its root on.
        legs: Lengths of bones, and heights of ankles, shape (2,) both.
        out: Feet, turns and flatness, as `StepPlanner` has them; written.
    """
    (lifts, _), (bones, ankles) = swings, legs
    root, away, speed, heading, feet, _, rises, _ = moment
    tick, stands = numbers[_TICK], phase[2] == 0.0
    capture = (away[0] + speed[0] / numbers[_PENDULUM], away[1] + speed[1] / numbers[_PENDULUM], away[2])
    before = state.swing.copy()
    settling = stands and state.stop[0] > _STANDS and numbers[_STEPS] > 0.0
    ease(state.stop, settling, tick)
    for foot in range(2):
        state.rise[foot, 1] = rises[foot]
    _shift_swings(state, numbers, phase, swings, spots, capture, moment)
    begun = -1
    free = state.kind[0] == _NONE and state.kind[1] == _NONE
    if numbers[_STEPS] > 0.0 and free and (stands or not (np.isfinite(lifts[0]) or np.isfinite(lifts[1]))):
        begun = _begin_step(state, numbers, phase, spots, capture, moment, settling)
    _advance_steps(state, numbers, phase, spots, capture, root, heading)
    state.stop[0] = state.stop[0] + tick if stands else 0.0
    _lead_feet(state, before, numbers, feet, ankles, out)
    _lead_root(state, numbers, moment, bones, eased(state.stop[1]))
    return begun
