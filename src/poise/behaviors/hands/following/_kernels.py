"""Compiled loops: poles, elbows, hands and arms of one tick in one pass; plain arrays in."""

from __future__ import annotations

import numpy as np

from poise.behaviors.hands.columns import ELBOW, KIND, LED, LIFT
from poise.behaviors.hands.elbow._kernels import bend_of, swivel_elbow
from poise.behaviors.hands.trunk._kernels import lift_elbow
from poise.behaviors.hands.turning._kernels import turn_hand
from poise.body._layout import turn_at
from poise.ik._kernels import frames
from poise.ik.limbs._kernels import solve_limb
from poise.ik.poles._kernels import step_pole
from poise.math._compile import njit
from poise.math._easing import approached
from poise.math._tuples import (
    add,
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
            Hands: bodies of the arms and unit vectors along forearms (2, 3), lengths of their bones (2, 2), neutral
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
    (arms, axes), bones, neutral, ranges, wrist, lift, turning = hands
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
    tried, free = np.empty((3, columns)), (settings[0], settings[1], settings[2], 0.0)
    for attempt in range(3):
        for column in range(columns):
            tried[attempt, column] = rows[-1, column]
    frames(parents, offsets, model[0], order, rows[-1], turns, places)
    for hand in range(2):
        led, ease, returns, begins, _ = acts[hand]
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
        solve_limb(parents, model, hand, (tried[1], turns, places), (place, none, pole), weights, free, spare[hand])
        turn = _turn_below(parents, model[0], tried[1], clips[1], root, parents[last_body])
        own = (model[0][last_body], neutral[hand], ranges[int(goals[hand, KIND]), hand], wrist)
        forearm, clip_turn = _coordinate(tried[1], parents[last_body]), _coordinate(tried[1], last_body)
        below, spans = (clip_turn, forearm, turn), (time + tick, tick, returns, begins, turning)
        turn_hand(tracks[hand], goals[hand], below, own, faces, spans, goal_turns[hand], goal_places[hand])
        goal, weights = (vector(goal_places, hand), quaternion(goal_turns, hand), pole), (1.0, 1.0, 1.0)
        solve_limb(parents, model, hand, (tried[2], turns, places), goal, weights, free, limbs[hand])
    does = ((acts[0][0], acts[1][0]), (acts[0][4], acts[1][4]))
    fill_arms(rows, tried[2], (arms, axes), does, (last, ways), calm, tick)


UPPER, FOREARM, HAND, TWIST, WAYS = 0, 1, 2, 3, 4
"""What goes its own way in an arm: upper arm, the forearm without its twist, the hand, and that twist."""
WISH, SPEED, LEFT, RATE, GAIN = 0, 4, 7, 10, 13
"""Where a way has the coordinate that was wished a tick before and how that turned, what is left of the jumps it
made, how that changes and how that does."""
OWN, OWN_SPEED, WAY = 16, 20, 23
"""Where it has the clip's own coordinate a tick before and how that turned, and how long a way is."""
_GONE = 1e-7
"""What is left of a jump counts as nothing from here on [rad, rad/s]."""


@njit(cache=True, error_model="numpy")
def without_jumps(wish, way, led, settles, calm, tick):
    """A coordinate without the jumps of what is wished of it; a quaternion.

    What is wished goes on as it turned, and a little otherwise; all beyond that is a jump. The joint stays where it is then
    and moves as it did, and what lies between is undone by the way of least jerk. A wish that does not jump is met exactly,
    without delay.

    Args:
        wish: Where it is wanted at the end of the tick, wxyz.
        way: Shape (WAY,); written.
        led: Whether anything but the clip wishes, or did: what a clip does is no jump.
        settles: In what time a jump is made up for [s]; at 0 it is met at once.
        calm: How fast its motion may change [rad/s²], and in what time what is left of a jump is let go where it is met at
            once from now on [s].
        tick: [s].
    """
    quick, lets_go = calm
    smooth = led and settles > 0.0
    before, speed = quadruple(way, WISH), triple(way, SPEED)
    moved = rotation_vector(product(conj(before), wish))
    surprise = subtract(moved, scale(speed, tick))
    jump = subtract(surprise, shortened(surprise, quick * tick * tick)) if smooth else (0.0, 0.0, 0.0)
    left = product(from_rotation_vector(scale(jump, -1.0)), from_rotation_vector(triple(way, LEFT)))
    change = subtract(scale(moved, 1.0 / tick), speed)
    speed = add(speed, shortened(change, quick * tick) if smooth else change)
    time = settles if smooth else lets_go
    error, rate, gain = approached(rotation_vector(left), triple(way, RATE), triple(way, GAIN), time, tick)
    if length(error) + length(rate) + length(jump) < _GONE:
        error, rate, gain = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    write(way, WISH, wish)
    write(way, SPEED, speed)
    write(way, LEFT, error)
    write(way, RATE, rate)
    write(way, GAIN, gain)
    return normalized(product(wish, from_rotation_vector(error))) if length(error) > 0.0 else wish


@njit(cache=True, error_model="numpy", forceinline=True)
def _twist_of(turn, bone):
    """The part of a turn that is about a bone of unit length; the first of the two that make it up."""
    along = turn[1] * bone[0] + turn[2] * bone[1] + turn[3] * bone[2]
    size = np.sqrt(turn[0] * turn[0] + along * along)
    if size < 1e-9:
        return (1.0, 0.0, 0.0, 0.0)
    return (turn[0] / size, along * bone[0] / size, along * bone[1] / size, along * bone[2] / size)


@njit(cache=True, error_model="numpy")
def start_ways(row, arms, bones, ways):
    """Take note of where the clip has the joints to begin with, in generalized positions `row` (nq,)."""
    for hand in range(2):
        for k in range(3):
            write(ways[hand, k], WISH, _coordinate(row, arms[hand, k]))
            write(ways[hand, k], OWN, _coordinate(row, arms[hand, k]))
        forearm = _coordinate(row, arms[hand, 1])
        twist = _twist_of(forearm, vector(bones, hand))
        write(ways[hand, FOREARM], WISH, product(forearm, conj(twist)))
        write(ways[hand, TWIST], WISH, twist)


@njit(cache=True, error_model="numpy", forceinline=True)
def _own_change(way, clips, tick):
    """How fast the motion of the clip's own joint changes [rad/s²]; the way takes note of it."""
    speed = scale(rotation_vector(product(conj(quadruple(way, OWN)), clips)), 1.0 / tick)
    change = length(subtract(speed, triple(way, OWN_SPEED))) / tick
    write(way, OWN, clips)
    write(way, OWN_SPEED, speed)
    return change


@njit(cache=True, error_model="numpy", forceinline=True)
def _calm_forearm(wish, bone, ways, pace, calm, tick):
    """A forearm's coordinate without jumps: where it places the hand it may be quick, about itself it may not.

    Args:
        wish: Where it is wanted, wxyz.
        bone: Unit vector along it.
        ways: Of the arm, shape (WAYS, WAY); written.
        pace: Whether it is led, in what time it makes up for jumps [s], and what else is no jump [rad/s²].
        calm: The numbers of `anticipation.guiding.Calming`.
        tick: [s].
    """
    bends, turns, _, lets_go = calm
    led, settles, more = pace
    twist = _twist_of(wish, bone)
    placed = without_jumps(product(wish, conj(twist)), ways[FOREARM], led, settles, (bends + more, lets_go), tick)
    return product(placed, without_jumps(twist, ways[TWIST], led, settles, (turns + more, lets_go), tick))


@njit(cache=True, error_model="numpy", forceinline=True)
def _is_settled(ways, k):
    """Whether nothing is left of a joint's jumps."""
    return length(triple(ways[k], LEFT)) == 0.0 and (k != FOREARM or length(triple(ways[TWIST], LEFT)) == 0.0)


@njit(cache=True, error_model="numpy")
def fill_arms(rows, end, arms, acts, memory, calm, tick):
    """Turn the arms in the rows of a tick from how far off the clip they were to how far off they shall be, evenly.

    Args:
        rows: The clip in, with the arms' turns out, shape (n, nq).
        end: The last row with the arms where they shall be, shape (nq,).
        arms: Their bodies, shape (2, 3), and unit vectors along forearms in their own frames, shape (2, 3).
        acts: Whether either is led, and in what time either makes up for a jump [s], 0 for at once.
        memory: How far each joint was turned off the clip's at the end of the last tick, shape (2, 3, 4), and how all of an
            arm goes, shape (2, WAYS, WAY); both are written.
        calm: The numbers of `anticipation.guiding.Calming`.
        tick: [s].
    """
    (last, ways), (bends, turns, _, lets_go) = memory, calm
    n, (bodies, bones), (busy, settles) = rows.shape[0], arms, acts
    for hand in range(2):
        own = ways[hand]
        for k in range(3):
            at = turn_at(bodies[hand, k])
            before, clips, now = quaternion(last[hand], k), quadruple(rows[n - 1], at), (1.0, 0.0, 0.0, 0.0)
            led = busy[hand] or not _is_settled(own, k) or before[0] != 1.0
            wish, change = quadruple(end, at) if busy[hand] else clips, _own_change(own[k], clips, tick)
            # An arm on its way back to a clip goes along with what the clip does quickly.
            more = 0.0 if busy[hand] else change
            if k == FOREARM:
                goal = _calm_forearm(wish, vector(bones, hand), own, (led, settles[hand], more), calm, tick)
            else:
                quick = (bends if k == UPPER else turns) + more
                goal = without_jumps(wish, own[k], led, settles[hand], (quick, lets_go), tick)
            if busy[hand] or not _is_settled(own, k):
                now = normalized(product(conj(clips), goal))
            elif before == now:
                continue
            step = rotation_vector(product(conj(before), now))
            for i in range(n):
                turn = product(before, from_rotation_vector(scale(step, (i + 1.0) / n)))
                clip_turn = (rows[i, at], rows[i, at + 1], rows[i, at + 2], rows[i, at + 3])
                write(rows[i], at, normalized(product(clip_turn, turn)))
            put(last[hand], k, now)
