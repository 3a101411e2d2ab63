"""Run by Blender's Python: world positions of a file's joints as JSON, Y up, in the file's own units.

Usage: blender_joints.py FILE TARGET FRAMES_PER_SECOND
"""

import json
import sys

import bpy

path, target, rate = sys.argv[1:4]
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.fps = int(rate)
if path.endswith(".bvh"):
    bpy.ops.import_anim.bvh(filepath=path, update_scene_fps=True, axis_forward="-Z", axis_up="Y")
elif path.endswith((".usd", ".usda", ".usdc", ".usdz")):
    bpy.ops.wm.usd_import(filepath=path)
else:
    bpy.ops.import_scene.gltf(filepath=path)
armature = next(thing for thing in bpy.data.objects if thing.type == "ARMATURE")
names = [bone.name for bone in armature.data.bones]
frames = []
first, last = (round(end) for end in armature.animation_data.action.frame_range)
for frame in range(first, last + 1):
    scene.frame_set(frame)
    heads = [armature.matrix_world @ armature.pose.bones[name].head for name in names]
    # Blender is Z up; the file is Y up.
    frames.append([[head.x, head.z, -head.y] for head in heads])
with open(target, "w", encoding="utf-8") as out:
    json.dump({"names": names, "positions": frames}, out)
