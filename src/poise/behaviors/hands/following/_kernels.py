"""Compiled loops: poles, elbows, hands and arms of one tick in one pass; plain arrays in."""

from __future__ import annotations

import numpy as np

from poise.behaviors.hands.columns import ELBOW, KIND, LED, LIFT
from poise.behaviors.hands.elbow._kernels import bend_of, swivel_elbow
from poise.behaviors.hands.trunk._kernels import lift_elbow
from poise.behaviors.hands.turning._kernels import turn_hand
from poise.body._layout import turn_at
from poise.ik._kernels import frames, from_swing_twist, swing_twist, unfolded
from poise.ik.limbs._kernels import solve_limb
from poise.ik.poles._kernels import step_pole
from poise.math._compile import njit
from poise.math._easing import approached
from poise.math._tuples import (
    add,
    clip,
    conj,
    from_rotation_vector,
    length,
    normalized,
    product,
    put,
    quadruple,
    quaternion,
    rotation_vector,
    scale,
    shortened,
    subtract,
    triple,
    turned,
    vector,
    write,
)


@njit(cache=True, error_model="numpy")
def _place_poles(clips, poles, arms, time, points):
    """Move the poles of both arms on by a time, and write where they are in the world, shape (2, 3)."""
    places, turns = clips
    state, naturals, springs, rests, anchors = poles
    for hand in range(2):
        at, turn = vector(places, anchors[hand]), quaternion(turns, anchors[hand])
        elbow = turned(conj(turn), subtract(vector(places, arms[hand, 1]), at))
        own = state[hand]
        point, velocity = step_pole(
            triple(own, 0), triple(own, 3), elbow, vector(naturals, hand), springs, rests[hand], time
        )
        write(own, 0, point)
        write(own, 3, velocity)
        put(points, hand, add(at, turned(turn, point)))


@njit(cache=True, error_model="numpy", forceinline=True)
def _coordinate(row, body):
    return quadruple(row, turn_at(body))


@njit(cache=True, error_model="numpy", forceinline=True)
def _turn_below(parents, bind, row, turns, root, body):
    """How a body at or below `root` is turned in the world at generalized positions `row`; above the root as in `turns`."""
    depth, each, turn = 0, body, quaternion(turns, parents[root])
    while each != root:
        depth, each = depth + 1, parents[each]
    for level in range(depth, -1, -1):
        each = body
        for _ in range(level):
            each = parents[each]
        turn = product(turn, product(quaternion(bind, each), _coordinate(row, each)))
    return turn


@njit(cache=True, error_model="numpy")
def follow_arms(rows, clips, faces, character, memory, acts, when):
    """Change the arms in the rows of one tick so that at its end the hands are where they are led.

    Args:
        rows: The clip in, with the arms where they shall be out, shape (n, nq).
        clips: All bodies at the end of the tick, arms as in the clip: places (B, 3) and turns (B, 4).
        faces: Ahead there, shape (3,).
        character: Four parts of it, and how it goes.
            Body: parents, offsets and bodies in order, and the limbs' model and settings (`ik.limbs`).
            Poles, of both arms: state (2, 6), natural points, springs, rest lengths, and bodies they hang from (`ik.poles`).
            Trunk: starts and ends of the capsules that either arm keeps off, shape (2, C, 3) each, and distances wanted (C,).
            Hands: bodies of the arms (2, 3), lengths of their bones (2, 2), neutral
            pose of forearms and hands (2, 2, 4), ranges per kind of goal (3, 2, 2, 3), twist of a wrist [rad], how
            far an elbow is turned up in a tick [rad], and how long hands take to turn at least [s] (`turn_hand`).
            The numbers of `anticipation.guiding.Calming`.
        memory: Tracks (2, TRACK), goals (2, GOAL), what the limb solver remembers (2, 14), how far each joint was turned off
            the clip's at the end of the last tick (2, 3, 4), and ways of `fill_arms`; all but the goals are written.
        acts: For either hand: whether it is led, how much of the arm is its own, whether it returns, whether it begins to do
            what it does now, and in what time it makes up for a jump [s].
        when: Beginning of the tick, its length, and by how much the poles go on [s].
    """
    body, poles, (starts, ends, off), hands, calm = character
    parents, offsets, order, model, settings = body
    (tracks, goals, limbs, last, ways), (time, tick, settle) = memory, when
    arms, bones, neutral, ranges, wrist, lift, turning = hands
    count, columns = parents.shape[0], rows.shape[1]
    points, goal_places, goal_turns = np.empty((2, 3)), np.empty((2, 3)), np.zeros((2, 4))
    turns, places, spare = np.empty((count, 4)), np.empty((count, 3)), np.zeros((2, limbs.shape[1]))
    _place_poles(clips, poles, arms, settle, points)
    for hand in range(2):
        write(goal_places[hand], 0, triple(goals[hand], LED))
        if acts[hand][0]:
            shoulder, capsules = clips[0][arms[hand, 0]], (starts[hand], ends[hand], off)
            lifted = tracks[hand, LIFT]
            tracks[hand, LIFT] = lift_elbow(
                lifted, shoulder, goal_places[hand], bones[hand], points[hand], capsules, lift
            )
    # First where the elbows are wanted, then the arms alone: how a hand is turned depends on where its forearm gets to.
    tried = np.empty((3, columns))
    for attempt in range(3):
        for column in range(columns):
            tried[attempt, column] = rows[-1, column]
    frames(parents, offsets, model[0], order, rows[-1], turns, places)
    for hand in range(2):
        led, ease, returns, begins, settles = acts[hand]
        if not led:
            continue
        if length(triple(tracks[hand], ELBOW)) == 0.0:
            # Nothing is left of when the arm was led last.
            limbs[hand] = 0.0
        root, last_body, at = arms[hand, 0], arms[hand, 2], vector(places, arms[hand, 0])
        above, place, pole = quaternion(turns, parents[root]), vector(goal_places, hand), vector(points, hand)
        none, weights = (1.0, 0.0, 0.0, 0.0), (1.0, 0.0, ease)
        solve_limb(parents, model, hand, (tried[0], turns, places), (place, none, pole), weights, settings, spare[hand])
        wanted, axis = bend_of((parents, offsets), model, hand, tried[0], above)
        clip_bend, _ = bend_of((parents, offsets), model, hand, rows[-1], above)
        bend = swivel_elbow(tracks[hand], wanted, clip_bend, axis, faces, (calm[2], calm[3]), tick)
        pole = add(at, scale(bend, 4.0 * bones[hand, 0]))
        weights = (1.0, 0.0, 1.0)
        # What was tried first is no pose the arm had: it does not slow this one.
        spare[hand] = 0.0
        solve_limb(parents, model, hand, (tried[1], turns, places), (place, none, pole), weights, settings, spare[hand])
        turn = _turn_below(parents, model[0], tried[1], clips[1], root, parents[last_body])
        own = (model[0][last_body], neutral[hand], ranges[int(goals[hand, KIND]), hand], wrist)
        forearm, clip_turn = _coordinate(tried[1], parents[last_body]), _coordinate(tried[1], last_body)
        below, spans = (clip_turn, forearm, turn), (time + tick, tick, returns, begins, turning)
        turn_hand(tracks[hand], goals[hand], below, own, faces, spans, goal_turns[hand], goal_places[hand])
        goal, weights = (vector(goal_places, hand), quaternion(goal_turns, hand), pole), (1.0, 1.0, 1.0)
        at_once = (settings[0], np.pi if settles > 0.0 else settings[1], settings[2], settings[3])
        solve_limb(parents, model, hand, (tried[2], turns, places), goal, weights, at_once, limbs[hand])
    does = ((acts[0][0], acts[1][0]), (acts[0][4], acts[1][4]))
    fill_arms(rows, tried[2], (arms, model[1], model[2], model[3]), does, (last, ways), calm, tick)


UPPER, FOREARM, HAND, WAYS = 0, 1, 2, 3
"""What goes its own way in an arm."""
WISH, SPEED, LEFT, RATE, GAIN = 0, 4, 7, 10, 13
"""Where a way has the coordinate that was wished a tick before and how that changed, what is left of the jumps it
made, how that changes and how that does."""
OWN, OWN_SPEED, WAY = 16, 20, 23
"""Where it has the clip's own coordinate a tick before and how that turned, and how long a way is."""
_GONE = 1e-7
"""What is left of a jump counts as nothing from here on [rad, rad/s]."""
_EDGE = 0.01
"""A twist so far beyond its range is still at its end [rad]."""


@njit(cache=True, error_model="numpy", forceinline=True)
def _angles(turn, joint):
    """Swings and twist of a coordinate."""
    neutral, lower, upper = joint
    return unfolded(swing_twist(product(product(neutral, turn), conj(neutral))), lower, upper)


@njit(cache=True, error_model="numpy", forceinline=True)
def _changed(before, angles, lower, upper):
    """How swings and twist changed. From within the range to within it a twist never goes round the other way, outside."""
    moved, least, most = subtract(angles, before), lower[2] - _EDGE, upper[2] + _EDGE
    if not (least <= before[2] <= most and least <= angles[2] <= most):
        return (moved[0], moved[1], moved[2] - 2.0 * np.pi * np.rint(moved[2] / (2.0 * np.pi)))
    return moved


@njit(cache=True, error_model="numpy", forceinline=True)
def _shortened(change, quick, time):
    """A change cut to what there may be of it in a time: of its swings, and of the twist about the bone."""
    swing, most = shortened((change[0], change[1], 0.0), quick[0] * time), quick[1] * time
    return (swing[0], swing[1], clip(change[2], -most, most))


@njit(cache=True, error_model="numpy", forceinline=True)
def _undone(way, left, jump, time, tick):
    """What is left of jumps a tick later, by the way of least jerk; the way takes note of it."""
    error, rate, gain = approached(left, triple(way, RATE), triple(way, GAIN), time, tick)
    if length(error) + length(rate) + length(jump) < _GONE:
        error, rate, gain = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    write(way, LEFT, error)
    write(way, RATE, rate)
    write(way, GAIN, gain)
    return error


@njit(cache=True, error_model="numpy", forceinline=True)
def _stopping(room, brakes, tick):
    """How far a joint that brakes so [rad/s²] may turn in a tick to come to rest within the room there is [rad]."""
    brake = brakes * tick * tick
    return min(np.sqrt(brake * brake + 2.0 * brake * room) - brake, room)


@njit(cache=True, error_model="numpy", forceinline=True)
def _braked(way, was, angles, joint, brakes, tick):
    """Let a joint come to rest by the end of its range, and go no farther out than it is or is wanted; the way takes note."""
    _, lower, upper = joint
    for k in range(3):
        least, most = min(lower[k], angles[k], was[k]) - was[k], max(upper[k], angles[k], was[k]) - was[k]
        step = angles[k] + way[LEFT + k] - was[k]
        held = clip(step, -_stopping(-least, brakes, tick), _stopping(most, brakes, tick))
        if held != step:
            way[LEFT + k], way[RATE + k], way[GAIN + k] = was[k] + held - angles[k], held / tick - way[SPEED + k], 0.0


@njit(cache=True, error_model="numpy")
def without_jumps(wish, way, joint, led, settles, calm, tick):
    """A coordinate without the jumps of what is wished of it; a quaternion.

    What is wished goes on as it turned, and a little otherwise; all beyond that is a jump. The joint stays where it is then
    and moves as it did, and what lies between is undone by the way of least jerk. A wish that does not jump is met exactly,
    without delay.

    All this is of swings and twist, whose range is a box: from one turn of a hand to another the short way may lead through a
    twist that no wrist has, between their angles every way is inside the box.

    Args:
        wish: Where it is wanted at the end of the tick, wxyz.
        way: Shape (WAY,); written.
        joint: Its neutral pose, wxyz, and its least and greatest swings and twist [rad], shape (3,).
        led: Whether anything but the clip wishes, or did: what a clip does is no jump.
        settles: In what time a jump is made up for [s]; at 0 it is met at once.
        calm: How fast its swings and its twist may change their motion, and how fast it brakes before its range ends [rad/s²];
            and in what time what is left of a jump is let go where it is met at once from now on [s].
        tick: [s].
    """
    swings, twists, brakes, lets_go = calm
    quick = (swings, twists)
    (neutral, lower, upper), smooth = joint, led and settles > 0.0
    angles, speed, left = _angles(wish, joint), triple(way, SPEED), triple(way, LEFT)
    moved = _changed(_angles(quadruple(way, WISH), joint), angles, lower, upper)
    surprise, change = subtract(moved, scale(speed, tick)), subtract(scale(moved, 1.0 / tick), speed)
    jump = (0.0, 0.0, 0.0)
    if smooth:
        jump, change = subtract(surprise, _shortened(surprise, quick, tick * tick)), _shortened(change, quick, tick)
    error = _undone(way, subtract(left, jump), jump, settles if smooth else lets_go, tick)
    write(way, WISH, wish)
    write(way, SPEED, add(speed, change))
    if length(error) == 0.0:
        return wish
    _braked(way, add(subtract(angles, moved), left), angles, joint, brakes, tick)
    held = from_swing_twist(add(angles, triple(way, LEFT)))
    return normalized(product(product(conj(neutral), held), neutral))


@njit(cache=True, error_model="numpy")
def start_ways(row, arms, ways):
    """Take note of where the clip has the joints to begin with, in generalized positions `row` (nq,)."""
    for hand in range(2):
        for k in range(3):
            write(ways[hand, k], WISH, _coordinate(row, arms[hand, k]))
            write(ways[hand, k], OWN, _coordinate(row, arms[hand, k]))


@njit(cache=True, error_model="numpy", forceinline=True)
def _own_change(way, clips, tick):
    """How fast the motion of the clip's own joint changes [rad/s²]; the way takes note of it."""
    speed = scale(rotation_vector(product(conj(quadruple(way, OWN)), clips)), 1.0 / tick)
    change = length(subtract(speed, triple(way, OWN_SPEED))) / tick
    write(way, OWN, clips)
    write(way, OWN_SPEED, speed)
    return change


@njit(cache=True, error_model="numpy")
def fill_arms(rows, end, arms, acts, memory, calm, tick):
    """Turn the arms in the rows of a tick from how far off the clip they were to how far off they shall be, evenly.

    Args:
        rows: The clip in, with the arms' turns out, shape (n, nq).
        end: The last row with the arms where they shall be, shape (nq,).
        arms: Their bodies, shape (2, 3), and of all bodies the neutral pose (B, 4) and least and greatest angles (B, 3) [rad].
        acts: Whether either is led, and in what time either makes up for a jump [s], 0 for at once.
        memory: How far each joint was turned off the clip's at the end of the last tick, shape (2, 3, 4), and how all of an
            arm goes, shape (2, WAYS, WAY); both are written.
        calm: The numbers of `anticipation.guiding.Calming`.
        tick: [s].
    """
    (last, ways), (bends, turns, _, lets_go) = memory, calm
    n, (bodies, neutral, lower, upper), (busy, settles) = rows.shape[0], arms, acts
    for hand in range(2):
        for k in range(3):
            body, way = bodies[hand, k], ways[hand, k]
            at = turn_at(body)
            before, clips, now = quaternion(last[hand], k), quadruple(rows[n - 1], at), (1.0, 0.0, 0.0, 0.0)
            led = busy[hand] or length(triple(way, LEFT)) > 0.0 or before[0] != 1.0
            wish, change = quadruple(end, at) if busy[hand] else clips, _own_change(way, clips, tick)
            # An arm on its way back to a clip goes along with what the clip does quickly.
            more = 0.0 if busy[hand] else change
            # Where a joint places the hand it may be quick, a forearm's twist and the hand itself may not.
            quick = ((turns if k == HAND else bends) + more, (bends if k == UPPER else turns) + more, bends, lets_go)
            joint = (quaternion(neutral, body), lower[body], upper[body])
            goal = without_jumps(wish, way, joint, led, settles[hand], quick, tick)
            if busy[hand] or length(triple(way, LEFT)) > 0.0:
                now = normalized(product(conj(clips), goal))
            elif before == now:
                continue
            step = rotation_vector(product(conj(before), now))
            for i in range(n):
                turn = product(before, from_rotation_vector(scale(step, (i + 1.0) / n)))
                clip_turn = (rows[i, at], rows[i, at + 1], rows[i, at + 2], rows[i, at + 3])
                write(rows[i], at, normalized(product(clip_turn, turn)))
            put(last[hand], k, now)
