"""Where tracks and goals of hands, flat arrays for compiled loops, have what."""

from __future__ import annotations

PLACE, TURN, SPIN = 0, 3, 7
"""Where a track has the hand as it was meant to be at the beginning of the tick, and how fast it turned then."""
OWN_RATE, OWN_GAIN = 10, 13
"""How the clip's hand moves over the tick, and how that changed at its beginning."""
AIM, DRIFT, FOLLOWS = 16, 19, 22
"""Where the hand is to be, how that drifts, and whether it is where the clip has it (1) or what it is about (0)."""
LEFT, LEFT_RATE, LEFT_GAIN, UNTIL = 23, 26, 29, 32
"""What is left of the way there (`math._easing.approached`), and when it shall be gone."""
BULGE, BULGE_START, BULGE_TIME = 33, 34, 35
"""How far the way bulges out [m], since when and for how long."""
TURN_LEFT, TURN_RATE, TURN_GAIN, TWIST = 36, 39, 42, 45
"""What is left of the turn to how the hand shall be, as a rotation vector; and the twist that was wanted last."""
TURNED, LIFT = 46, 50
"""How the hand was to be turned, and how far the elbow is turned up off its pole [rad]."""
ELBOW, SWIVEL_LEFT, SWIVEL_RATE, SWIVEL_GAIN, SWIVEL_SPEED = 51, 54, 55, 56, 57
"""Where the elbow is off the way from shoulder to wrist, in the frame of the body; what is left of the jumps of where it is
wanted [rad], how that changes and how that does; and how fast it is taken to swivel."""
ASIDE, ASIDE_RATE, ASIDE_GAIN = 58, 61, 64
"""How far the hand is off its way so as not to run into its own body, how that changes and how that does."""
PLACE_RATE, TRACK = 67, 70
"""How the hand moved over the last tick as it was meant to, and the length of a track."""

LED, LED_TURN, HELD, NORMAL = 0, 3, 7, 11
"""Where a goal has the place of the hand's joint at the end of the tick, how the hand is taken to be turned then, how it shall
be turned in the end, and the normal of what it touches."""
MIDDLE, AXIS, DEPTH, TIP, KIND, GOAL = 14, 17, 20, 21, 24, 25
"""How the hand touches (`hands.Palm`), what it is about (`YIELDS`, `FLIES` or `FIXED`), and the length of a goal."""
YIELDS, FLIES, FIXED = 0, 1, 2
"""What a hand is about, or whether it is on its way back (as `YIELDS`)."""
