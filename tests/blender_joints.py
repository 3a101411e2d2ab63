"""Run by Blender's Python: world positions of a BVH file's joints as JSON, in the file's own axes and units."""

import json
import sys

import bpy

path, target = sys.argv[1:3]
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_anim.bvh(
    filepath=path, update_scene_fps=True, update_scene_duration=True, axis_forward="-Z", axis_up="Y"
)
armature = next(thing for thing in bpy.data.objects if thing.type == "ARMATURE")
scene = bpy.context.scene
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
