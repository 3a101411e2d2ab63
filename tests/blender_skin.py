"""Run by Blender's Python: what it sees of a GLB as JSON: images, and the corners of all skinned vertices per frame, Y up.

Usage: blender_skin.py FILE TARGET FRAMES_PER_SECOND
"""

import json
import sys

import bpy
import numpy as np

path, target, rate = sys.argv[1:4]
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.fps = int(rate)
bpy.ops.import_scene.gltf(filepath=path)
armature = next(thing for thing in bpy.data.objects if thing.type == "ARMATURE")
skinned = [
    thing
    for thing in bpy.data.objects
    if thing.type == "MESH" and any(modifier.type == "ARMATURE" for modifier in thing.modifiers)
]
action = armature.animation_data.action
corners = []
first, last = (round(end) for end in action.frame_range)
for frame in range(first, last + 1):
    scene.frame_set(frame)
    shown = bpy.context.evaluated_depsgraph_get()
    points = []
    for thing in skinned:
        posed = thing.evaluated_get(shown)
        points += [posed.matrix_world @ vertex.co for vertex in posed.data.vertices]
    places = np.array(points)[:, [0, 2, 1]] * [1.0, 1.0, -1.0]
    corners.append([places.min(axis=0).tolist(), places.max(axis=0).tolist()])
images = sorted(tuple(image.size) for image in bpy.data.images if image.source == "FILE")
with open(target, "w", encoding="utf-8") as out:
    json.dump({"action": action.name, "corners": corners, "images": images}, out)
