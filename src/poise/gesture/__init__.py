"""Layer 3: what hands do: conducting, clapping, arm swing, beats that accompany speech, as smooth paths of the hands."""

from poise.gesture.arms import REACH, Arms, Gesture, HandGoals
from poise.gesture.clap import Clapping, clap
from poise.gesture.conduct import Conducting, LiveConducting, conduct
from poise.gesture.patterns import BEATS, Style
from poise.gesture.speech import BeatGestures
from poise.gesture.swing import ArmSwing
from poise.gesture.tempo import LiveTempo, TempoMap

__all__ = [
    "BEATS",
    "REACH",
    "ArmSwing",
    "Arms",
    "BeatGestures",
    "Clapping",
    "Conducting",
    "Gesture",
    "HandGoals",
    "LiveConducting",
    "LiveTempo",
    "Style",
    "TempoMap",
    "clap",
    "conduct",
]
