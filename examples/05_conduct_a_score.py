"""Conduct a score: beat times from a MIDI file, a conductor who is on time, a BVH file.

The piece slows down, holds a fermata and goes on faster; the hand is lowest at every beat, to less than a millisecond.
"""

from pathlib import Path

import mido
import numpy as np
from scipy.interpolate import CubicSpline

from poise.assets import clip_path
from poise.characters.gesture_clips import gesture_clip
from poise.gesture import Conducting, Style, TempoMap
from poise.io import read_beats, read_clip, write_clip

score = mido.MidiFile(ticks_per_beat=480)
tempos = ((0, 100), (4, 100), (6, 70), (8, 55), (9, 25), (10, 120))  # beat, beats per minute
events = [mido.MetaMessage("time_signature", numerator=3, denominator=4)]
for (beat, tempo), (before, _) in zip(tempos, ((0, 0), *tempos), strict=False):
    events.append(mido.MetaMessage("set_tempo", tempo=mido.bpm2tempo(tempo), time=480 * (beat - before)))
events.append(mido.Message("note_on", note=60, time=480 * 5))
score.tracks.append(mido.MidiTrack(events))
score.save("score.mid")

beats = read_beats("score.mid")
times = 2.5 + beats.times
gesture = Conducting(
    tempo=TempoMap.from_beats(times, fermatas={9: 1.6}),
    count=len(times),
    beats=beats.per_bar,
    upbeats=beats.upbeats,
    styles=[Style(volume=0.7, staccato=0.0)] * 6 + [Style(volume=1.4, staccato=0.6)] * 10,
    left="rest",
    cues=(6, 12),
)
clip = gesture_clip(gesture, read_clip(clip_path("walk")), seconds=times[-1] + 2.5, rate=240.0)
write_clip(Path("conductor.bvh"), clip)

joint = clip.skeleton.names.index("RightHand")
height = CubicSpline(clip.times, read_clip("conductor.bvh").world_positions()[0][:, joint, 2])
turning = height.derivative().roots(extrapolate=False)
lowest = turning[height(turning, 2) > 0.0]
errors = np.abs(lowest[:, None] - times).min(axis=0)
print(f"{len(times)} beats, {beats.per_bar} in a bar; the hand is lowest within {1e3 * errors.max():.3f} ms of each")
assert errors.max() < 1e-3
