"""What every file of ../shared/data is, judged once by eye, so that nobody need believe the readers.

Each was drawn as they read it, above its own ground, at its beginning, middle and end (29 November 2026): people stand on their
feet, face where they go, have left and right where their names say, and are as tall as the folder's own table lets one think;
frames, rates, axes and units are those of that table. What is doubted was looked at, too: the dancer lifts a leg level and
floats, the uneven ground of 03_01 is uneven, the Kinect's figure is a heap.

A person: file | person | frames | rate [Hz] | up | unit [m] | joints | stature [m] | what tells the roles | what is doubted.
Something else: file | no person | frames | rate | up | unit | joints. Markers: file | markers | frames | rate | up | unit |
markers. What is not read: file | refused | why.
"""

NOTES = {
    "drift": "the level that feet stand at",
    "floats": "both feet are off the ground",
    "hung": "hung on their limbs",
    "place": "in place:",
    "pops": "pops in frame",
    "range": "outside a person's range",
    "rest": "a rest pose that does not belong",
    "rows": "the damaged rows behind are left out",
    "still": "nobody moves",
}
"""Words of the table and of `poise inspect`."""

TABLE = """
3dmodelfiletest/Die.bvh | person | 54 | 30 | y | 0.01 | 69 | 1.75 | name
3dmodelfiletest/WalkForward.bvh | person | 31 | 30 | y | 0.01 | 69 | 1.75 | name | place
active-ragdolls/DemoModel.fbx | person | 21 | 24 | y | 1 | 17 | 0.86 | name/topology | place range
animated-drawings/dab.bvh | person | 339 | 30 | z | 0.0254 | 27 | 1.23 | name | range
animated-drawings/jumping_jacks.bvh | person | 125 | 30 | y | 0.0564 | 31 | 1.65 | name
animated-drawings/rokoko_jesse_dance.bvh | person | 1007 | 100 | y | 0.01 | 60 | 1.86 | name | floats range
animated-drawings/wave_hello.bvh | person | 839 | 119.88 | z | 0.0254 | 27 | 1.04 | name
assimp/01_01.bvh | person | 2752 | 120 | y | 0.0564 | 31 | 1.65 | name | rest
assimp/animation_with_skeleton.fbx | no person | 21 | 24 | y | 0.01 | 15
assimp/huesitos.fbx | no person | 40 | 25 | y | 0.01 | 10
assimp/simple_skin.gltf | no person | 133 | 24 | y | 1 | 2
bandai-namco/dataset-1_bow_normal_001.bvh | person | 138 | 30 | y | 0.01 | 22 | 1.56 | name
bandai-namco/dataset-1_bye_normal_001.bvh | person | 111 | 30 | y | 0.01 | 22 | 1.56 | name
bandai-namco/dataset-1_call_normal_001.bvh | person | 171 | 30 | y | 0.01 | 22 | 1.56 | name
bandai-namco/dataset-1_dash_normal_001.bvh | person | 20 | 30 | y | 0.01 | 22 | 1.55 | name
bandai-namco/dataset-1_guide_normal_001.bvh | person | 86 | 30 | y | 0.01 | 22 | 1.56 | name
bandai-namco/dataset-1_kick_normal_001.bvh | person | 358 | 30 | y | 0.01 | 22 | 1.56 | name
bandai-namco/dataset-1_punch_normal_001.bvh | person | 224 | 30 | y | 0.01 | 22 | 1.56 | name
bandai-namco/dataset-1_respond_normal_001.bvh | person | 106 | 30 | y | 0.01 | 22 | 1.56 | name
bandai-namco/dataset-1_run_normal_001.bvh | person | 24 | 30 | y | 0.01 | 22 | 1.56 | name
bandai-namco/dataset-1_walk-back_normal_001.bvh | person | 31 | 30 | y | 0.01 | 22 | 1.56 | name
bandai-namco/dataset-1_walk-left_normal_001.bvh | person | 135 | 30 | y | 0.01 | 22 | 1.56 | name
bandai-namco/dataset-1_walk_giant_001.bvh | person | 194 | 30 | y | 0.01 | 22 | 1.56 | name
bandai-namco/dataset-1_walk_happy_001.bvh | person | 213 | 30 | y | 0.01 | 22 | 1.56 | name
bandai-namco/dataset-1_walk_normal_001.bvh | person | 195 | 30 | y | 0.01 | 22 | 1.56 | name
bandai-namco/dataset-1_walk_normal_002.bvh | person | 31 | 30 | y | 0.01 | 22 | 1.56 | name
bandai-namco/dataset-1_walk_old_001.bvh | person | 285 | 30 | y | 0.01 | 22 | 1.56 | name
bandai-namco/dataset-2_raise-up-right-hand_normal_001.bvh | person | 59 | 30 | y | 0.01 | 22 | 1.56 | name
bandai-namco/dataset-2_run_exhausted_001.bvh | person | 147 | 30 | y | 0.01 | 22 | 1.56 | name
bandai-namco/dataset-2_run_normal_001.bvh | person | 68 | 30 | y | 0.01 | 22 | 1.56 | name
bandai-namco/dataset-2_walk-turn-left_normal_001.bvh | person | 102 | 30 | y | 0.01 | 22 | 1.56 | name
bandai-namco/dataset-2_walk-turn-right_normal_001.bvh | person | 100 | 30 | y | 0.01 | 22 | 1.56 | name
bandai-namco/dataset-2_walk_active_001.bvh | person | 207 | 30 | y | 0.01 | 22 | 1.56 | name
bandai-namco/dataset-2_walk_exhausted_001.bvh | person | 289 | 30 | y | 0.01 | 22 | 1.56 | name
bandai-namco/dataset-2_wave-both-hands_normal_001.bvh | person | 201 | 30 | y | 0.01 | 22 | 1.56 | name
bandai-namco/dataset-2_wave-left-hand_active_001.bvh | person | 181 | 30 | y | 0.01 | 22 | 1.56 | name
bvh-toolbox/test_freebvh.bvh | person | 69 | 30 | y | 0.01 | 55 | 1.80 | name
bvh-toolbox/test_mocapbank.bvh | person | 455 | 30 | y | 0.01 | 19 | 1.71 | name
bvh-toolbox/walk01.bvh | person | 101 | 24 | y | 0.01 | 19 | 1.94 | name
bvhio/example.bvh | person | 2 | 30 | y | 0.0254 | 18 | 1.97 | name
cgmath/test_hierarchy.skeleton.json | refused | is no DeepMimic motion
cgmath/test_resample.dst_mesh_data.npz | refused | is no Poise clip
cgmath/test_resample.dst_skin_data.npz | refused | is no Poise clip
cgmath/test_resample.dst_uv_data.npz | refused | is no Poise clip
dcl-emotes/idle.glb | person | 91 | 30 | y | 1 | 62 | 1.99 | name
dcl-emotes/walk.glb | person | 32 | 30 | y | 1 | 62 | 1.99 | name | place
dcl-emotes/wave.glb | person | 73 | 24 | y | 1 | 62 | 1.99 | name
deep-motion-editing/angry_13_000.bvh | person | 140 | 120 | y | 0.0564 | 31 | 1.65 | name
deep-motion-editing/depressed_18_000.bvh | person | 105 | 120 | y | 0.0564 | 31 | 1.65 | name
deep-motion-editing/example_crlf.bvh | person | 278 | 120 | y | 0.0564 | 31 | 1.57 | name | drift pops rest
deep-motion-editing/neutral_01_000.bvh | person | 327 | 120 | y | 0.0564 | 31 | 1.65 | name
deep-motion-editing/neutral_16_000.bvh | person | 150 | 120 | y | 0.0564 | 31 | 1.65 | name | range
deep-motion-editing/old_13_000.bvh | person | 189 | 120 | y | 0.0564 | 31 | 1.65 | name | pops
deep-motion-editing/rest.bvh | person | 1 | 24 | y | 0.0564 | 31 | 1.65 | name | still
deepmimic/dog3d_trot.txt | refused | expected 44 numbers
deepmimic/humanoid3d_backflip.txt | person | 29 | 16 | y | 1 | 15 | 1.55 | name/topology
deepmimic/humanoid3d_dance_a.txt | person | 98 | 60 | y | 1 | 15 | 1.55 | name/topology
deepmimic/humanoid3d_getup_faceup.txt | person | 227 | 60 | y | 1 | 15 | 1.55 | name/topology | range
deepmimic/humanoid3d_jump.txt | person | 107 | 60 | y | 1 | 15 | 1.55 | name/topology
deepmimic/humanoid3d_run.txt | person | 25 | 30 | y | 1 | 15 | 1.55 | name/topology
deepmimic/humanoid3d_walk.txt | person | 39 | 30 | y | 1 | 15 | 1.55 | name/topology
dm-control/dog.xml | refused | there is no such file
dm-control/dog_skin.skn | refused | unknown file extension
dm-control/test_trajectories.h5 | refused | unknown file extension
dm-control/zeros.amc | refused | needs the ASF
fairmotion/11.asf | refused | unknown file extension
fairmotion/11_01.amc | person | 597 | 120 | y | 0.0564 | 31 | 1.83 | name/topology | drift range
fairmotion/pfnn_hierarchy.bvh | person | 60 | 30 | y | 1 | 31 | 1.65 | name | still
fairmotion/sinusoidal.bvh | no person | 120 | 60 | y | 0.01 | 4
hello-avatar/LocomotionFlat01_000.bvh | person | 2043 | 30 | y | 0.01 | 15 | 1.69 | name | range
hello-avatar/Shove_Reaction.bvh | person | 91 | 30 | y | 0.01 | 15 | 1.69 | name
hello-avatar/jog_lsw.bvh | person | 345 | 30 | y | 0.01 | 15 | 1.69 | name | pops
hello-avatar/jump_lsw.bvh | person | 646 | 30 | y | 0.01 | 15 | 1.69 | name
hello-avatar/s_001_1_1.bvh | person | 353 | 30 | y | 0.01 | 15 | 1.69 | name
hello-avatar/s_001_1_2.bvh | person | 353 | 30 | y | 0.01 | 15 | 1.69 | name
hello-avatar/walk_hurt_rl.bvh | person | 393 | 30 | y | 0.01 | 15 | 1.69 | name
kaykit/Knight.glb | person | 33 | 30 | y | 1 | 41 | 1.32 | name | range
kenney-animated/characterMedium.fbx | person | 1 | 30 | y | 0.01 | 46 | 3.05 | name | still
kenney-animated/run.fbx | person | 17 | 24 | y | 0.01 | 59 | 3.04 | name | place
kinect-motion-capture/kinect_1860.bvh | person | 1860 | 30 | y | 0.01 | 20 | 1.87 | name | range
kinect-motion-capture/kinect_nan.bvh | refused | found 'nan'
kinect-motion-capture/kinect_three_hierarchies_no_motion.bvh | refused | several HIERARCHY
mjolnir-zig/CesiumMan.glb | person | 49 | 24 | y | 1 | 19 | 1.35 | name/topology | place range
mjolnir-zig/RiggedSimple.glb | no person | 161 | 24 | y | 1 | 4
mocap-project/03_01.bvh | person | 433 | 120 | y | 0.01 | 43 | 1.70 | name | floats rest
mocap-project/Example1.bvh | person | 2 | 30 | y | 0.0254 | 18 | 1.97 | name | floats range
mocap-project/TomTomTest.bvh | person | 433 | 120 | y | 0.01 | 43 | 1.70 | name | floats rest rows
mocapnet/CMU_Sample_05_01.bvh | person | 599 | 25 | y | 0.01 | 165 | 1.74 | name | rest
mocapnet/axis.bvh | no person | 1 | 25 | y | 0.01 | 20
mocapnet/lhand.bvh | no person | 1 | 25 | y | 0.01 | 23
mocapnet/rightkick.bvh | person | 26 | 25 | y | 0.01 | 165 | 1.74 | name
mocapnet/waveleft.bvh | person | 27 | 25 | y | 0.01 | 165 | 1.74 | name
momentum/animation_test.fbx | no person | 120 | 24 | y | 0.01 | 3
momentum/blender_simple_armature.glb | no person | 1 | 30 | y | 1 | 4
momentum/c3d/02_01.c3d | markers | 343 | 120 | z | 0.001 | 41
momentum/c3d/Eb015pi.c3d | markers | 450 | 50 | z | 0.001 | 26
momentum/c3d/Eb015pr.c3d | markers | 450 | 50 | z | 0.001 | 26
momentum/c3d/dec_real.c3d | markers | 89 | 50 | z | 0.001 | 36
momentum/c3d/manufacture_test_codamotion.c3d | markers | 512 | 200 | z | 0.001 | 24
momentum/model_with_motion.glb | no person | 5 | 15 | y | 1 | 3
momentum/sort_joints.glb | no person | 1 | 30 | y | 1 | 298
motion-viewer/0005_2FeetJump001.bvh | person | 2575 | 120 | y | 0.0254 | 25 | 1.72 | name
motion-viewer/cmu_run_filtered.bvh | person | 174 | 120 | y | 0.01 | 19 | 1.70 | name | rest
motion-viewer/walk.bvh | person | 299 | 120 | y | 0.01 | 19 | 1.70 | name | drift rest
mpfb2/base.obj | refused | unknown file extension
mpfb2/rig.cmu_mb.json | refused | is no DeepMimic motion
mpfb2/rig.game_engine.json | refused | is no DeepMimic motion
mpfb2/rig.mixamo.json | refused | is no DeepMimic motion
mpfb2/weights.cmu_mb.json | refused | is no DeepMimic motion
mpfb2/weights.game_engine.json | refused | is no DeepMimic motion
mpfb2/weights.mixamo.json | refused | is no DeepMimic motion
openusd/arm.usda | no person | 10 | 24 | y | 1 | 3
openusd/lbs.usda | no person | 30 | 24 | y | 1 | 3
openusd/skeleton.usda | person | 3 | 24 | y | 1 | 68 | 1.66 | name/topology
pose-animation/avatar_walk.bvh | person | 14 | 15 | y | 0.0254 | 21 | 1.89 | name | place
pose-animation/humanoid.glb | no person | 1 | 30 | y | 1 | 21
pose-animation/pirouette.bvh | person | 592 | 120 | y | 0.01 | 43 | 1.70 | name | range rest
pybullet/laikago_walk.txt | refused | expected 44 numbers
pybullet/turn_left0.txt | person | 38 | 30 | y | 1 | 15 | 1.55 | name/topology
pybvh/bvh_test1.bvh | person | 75 | 30 | z | 0.0254 | 24 | 1.81 | name
pybvh/bvh_test2.bvh | person | 61 | 120 | y | 0.01 | 23 | 1.86 | name
pybvh/bvh_test3.bvh | person | 100 | 120 | z | 0.0254 | 60 | 1.75 | name
pybvh/cmu_12_01_walk.bvh | person | 524 | 120 | y | 0.0564 | 31 | 1.56 | name | drift rest
pybvh/full_precision_frame_time.bvh | no person | 3 | 23.98 | y | 0.01 | 2
pybvh/rotation_first_root.bvh | no person | 4 | 25 | y | 0.01 | 4
pybvh/standard_skeleton.bvh | person | 1 | 120 | z | 0.0254 | 24 | 1.67 | name | still
pymo/AV_8Walk_Meredith_HVHA_Rep1.bvh | person | 1064 | 120 | y | 0.0254 | 23 | 1.67 | name
robot-expressive/RobotExpressive.glb | person | 81 | 24 | y | 1 | 43 | 3.66 | name/topology | hung range
three-vrm/test.vrma | person | 73 | 24 | y | 1 | 51 | 1.77 | file
ufbx/blender_293_half_skinned_7400_binary.fbx | no person | 1 | 30 | y | 1 | 1
ufbx/max_transformed_skin_7500_binary.fbx | no person | 101 | 30 | z | 0.01 | 5
ufbx/maya_character_7500_binary.fbx | person | 1 | 30 | y | 0.01 | 62 | 1.89 | file | still
ufbx/maya_human_ik_6100_ascii.fbx | person | 1 | 30 | y | 1 | 62 | 1.89 | file | still
ufbx/maya_human_ik_7400_binary.fbx | person | 120 | 24 | y | 1 | 62 | 1.89 | file | still
ufbx/maya_kenney_character_7700_binary.fbx | person | 21 | 24 | y | 0.01 | 59 | 3.04 | name | place
ufbx/maya_slime_7500_binary.fbx | no person | 62 | 30 | y | 0.01 | 5
ufbx/motionbuilder_actor_7700_ascii.fbx | no person | 1 | 30 | y | 0.01 | 9
unity-antagonistic/ybot.fbx | person | 2 | 30 | y | 0.01 | 67 | 1.80 | name | still
unity-antagonistic/ybot@Walking.fbx | person | 32 | 30 | y | 0.01 | 67 | 1.80 | name
usd-wg/RiggedFigure.usdz | person | 31 | 24 | y | 1 | 19 | 1.27 | name/topology
vrm-specification/VRMC_vrm_expressions_isBinary_Overrides.vrm | person | 1 | 30 | y | 1 | 22 | 1.20 | file | still
webxr-hands/left.glb | no person | 1 | 30 | y | 1 | 26
"""
