"""The mannequin: a closed, light, symmetric mesh for people and for anything else."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from _builders import (
    Bone,
    bones,
    human_clip,
    inserted,
    mirrored_name,
    on_one_line,
    rooted,
    standing,
    without,
)
from poise.body import BodyOptions, build_body
from poise.body.mannequin import cache_folder, mannequin
from poise.body.mannequin._kernels import bone_distances, settle
from poise.body.mannequin.bind import person_pose
from poise.body.mannequin.figure import Figure
from poise.body.mannequin.parts import pack
from poise.body.mannequin.person import person_parts
from poise.body.mannequin.surface import surface
from poise.io import read_clip
from poise.math import quat
from poise.motion import Clip, Skeleton, guess_roles
from poise.motion.skin import SkinnedMesh, skin, vertex_normals


def volume(vertices: np.ndarray, triangles: np.ndarray) -> float:
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0)


def check(mesh: SkinnedMesh) -> None:
    """Closed, wound outwards, in one piece, of the promised size, with clean weights."""
    edges = Counter(map(tuple, np.concatenate([mesh.triangles[:, [k, (k + 1) % 3]] for k in range(3)]).tolist()))
    assert set(edges.values()) == {1}
    assert all((b, a) in edges for a, b in edges)
    assert volume(mesh.vertices, mesh.triangles) > 0.0
    assert set(np.unique(mesh.triangles)) == set(range(len(mesh)))
    pairs = np.array(list(edges))
    linked = coo_matrix((np.ones(len(pairs)), pairs.T), shape=(len(mesh), len(mesh)))
    assert connected_components(linked)[0] == 1
    assert 3_000 <= len(mesh.triangles) <= 10_000
    np.testing.assert_allclose(mesh.weights.sum(axis=1), 1.0, atol=1e-12)
    assert (mesh.weights >= 0.0).all()
    assert np.all(np.diff(mesh.weights, axis=1) <= 1e-12), "heaviest first"


def still(skeleton: Skeleton, bend: float = 0.0) -> Clip:
    """Ten frames in which every joint but the root turns more and more about y and z."""
    rotations = np.tile(quat.IDENTITY, (10, len(skeleton), 1))
    for frame in range(10):
        rotations[frame, 1:] = quat.exp(np.array([0.0, 1.0, 0.3]) * bend * frame / 9.0)
    return Clip(skeleton, 30.0, rotations, np.zeros((10, 1, 3)))


def chain(count: int, length: float) -> Skeleton:
    offsets = np.array([[0.0, 0.0, 0.0]] + [[length, 0.0, 0.0]] * (count - 1))
    names = tuple(f"link{i}" for i in range(count))
    return Skeleton(names, np.arange(count) - 1, offsets, np.array([count - 1]), np.array([[length, 0.0, 0.0]]))


def dog() -> Skeleton:
    rows = {
        "Root": (None, (0.0, 0.0, 0.5)),
        "Back": ("Root", (0.25, 0.0, 0.02)),
        "Withers": ("Back", (0.25, 0.0, 0.0)),
        "Nape": ("Withers", (0.12, 0.0, 0.1)),
        "Muzzle": ("Nape", (0.1, 0.0, 0.1)),
        "Tail": ("Root", (-0.1, 0.0, 0.03)),
        "TailTip": ("Tail", (-0.25, 0.0, 0.08)),
    }
    for side, y in (("l", 1.0), ("r", -1.0)):
        rows[f"front_{side}"] = ("Withers", (0.03, 0.07 * y, -0.06))
        rows[f"front_mid_{side}"] = (f"front_{side}", (-0.04, 0.0, -0.18))
        rows[f"front_low_{side}"] = (f"front_mid_{side}", (0.03, 0.0, -0.22))
        rows[f"hind_{side}"] = ("Root", (-0.02, 0.06 * y, -0.04))
        rows[f"hind_mid_{side}"] = (f"hind_{side}", (0.05, 0.0, -0.17))
        rows[f"hind_low_{side}"] = (f"hind_mid_{side}", (-0.1, 0.0, -0.24))
    names = list(rows)
    parents = [-1 if parent is None else names.index(parent) for parent, _ in rows.values()]
    return Skeleton(tuple(names), np.array(parents), np.array([offset for _, offset in rows.values()]))


def legs_alone() -> Skeleton:
    names = ("Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "RightUpLeg", "RightLeg", "RightFoot")
    leg = [[0.0, 0.09, -0.05], [0.0, 0.0, -0.41], [0.0, 0.0, -0.41]]
    offsets = np.array([[0.0, 0.0, 0.9], *leg, *(np.array(leg) * [1.0, -1.0, 1.0])])
    return Skeleton(names, np.array([-1, 0, 1, 2, 0, 4, 5]), offsets)


def with_fingers() -> dict[str, Bone]:
    rows = bones()
    for side, left in (("Left", 1.0), ("Right", -1.0)):
        for finger, x in (("Thumb", 0.035), ("Index", 0.03), ("Middle", 0.01), ("Ring", -0.01), ("Pinky", -0.03)):
            reach = 0.03 if finger == "Thumb" else 0.09
            rows[f"{side}Hand{finger}1"] = Bone(f"{side}Hand", (x, reach * left, 0.0))
            rows[f"{side}Hand{finger}2"] = Bone(f"{side}Hand{finger}1", (0.01 * (finger == "Thumb"), 0.04 * left, 0.0))
            rows[f"{side}Hand{finger}3"] = Bone(f"{side}Hand{finger}2", (0.0, 0.03 * left, 0.0))
    return rows


PEOPLE = {
    "plain": bones(),
    "rooted": rooted(bones()),
    "no hands": without(bones(), "Hand"),
    "no toes, no collar bones": without(bones(), "ToeBase", "Shoulder"),
    "no head": without(bones(), "Head", "Neck"),
    "twist joint in the chain": inserted(bones(), "LeftForeArmTwist", "LeftHand"),
    "fingers": with_fingers(),
}


@pytest.mark.parametrize("rows", PEOPLE.values(), ids=PEOPLE.keys())
def test_people(rows: dict[str, Bone]) -> None:
    clip = human_clip(rows, motion=standing, seconds=0.2)
    plan = build_body(clip, guess_roles(clip.skeleton))
    mesh = mannequin(clip, plan)
    check(mesh)
    litres_per_kilogram = 1000.0 * volume(mesh.vertices, mesh.triangles) / plan.total_mass
    assert 0.65 < litres_per_kilogram < 1.35
    size = np.ptp(mesh.vertices, axis=0)
    assert 0.95 < size[2] / plan.stature < 1.05


def test_every_limb_and_finger_moves_its_own_skin() -> None:
    clip = human_clip(with_fingers(), motion=standing, seconds=0.2)
    mesh = mannequin(clip)
    heaviest = {clip.skeleton.names[j] for j in mesh.joints[:, 0]}
    assert heaviest >= set(clip.skeleton.names) - {"Chest", "Neck", "LeftShoulder", "RightShoulder"}
    assert {clip.skeleton.names[j] for j in np.unique(mesh.joints[mesh.weights > 0.0])} == set(clip.skeleton.names)


def test_a_helper_on_a_bone_moves_its_stretch_of_skin() -> None:
    rows = bones()
    rows["LeftForeArmRoll"] = Bone("LeftForeArm", (0.0, 0.125, 0.0))
    clip = human_clip(rows, motion=standing, seconds=0.2)
    mesh = mannequin(clip)
    mine = mesh.vertices[mesh.joints[:, 0] == clip.skeleton.index("LeftForeArmRoll")]
    frames = np.linalg.inv(mesh.inverse_bind)[:, :3, 3]
    elbow, wrist = frames[clip.skeleton.index("LeftForeArm")], frames[clip.skeleton.index("LeftHand")]
    shares = (mine - elbow) @ (wrist - elbow) / np.sum((wrist - elbow) ** 2)
    assert len(mine) > 20
    assert 0.3 < shares.min() < shares.max() < 1.2


def test_bound_in_an_open_pose_whatever_the_files_zero_pose_is() -> None:
    clip = human_clip(motion=standing, seconds=0.2)
    plain, folded = mannequin(clip), mannequin(on_one_line(clip))
    check(folded)
    volumes = [volume(mesh.vertices, mesh.triangles) for mesh in (plain, folded)]
    assert volumes[1] == pytest.approx(volumes[0], rel=0.03)
    place = {name: i for i, name in enumerate(clip.skeleton.names)}
    for mesh in (plain, folded):
        joints = np.linalg.inv(mesh.inverse_bind)[:, :3, 3]
        arm = joints[place["LeftHand"]] - joints[place["LeftArm"]]
        assert np.degrees(np.arctan2(arm[1], -arm[2])) == pytest.approx(45.0, abs=1.0)
        assert joints[place["LeftFoot"], 1] - joints[place["RightFoot"], 1] > 0.3


def test_mirror_symmetry() -> None:
    clip = human_clip(motion=standing, seconds=0.2)
    plan = build_body(clip, guess_roles(clip.skeleton))
    mesh = mannequin(clip, plan)
    mirrored = mesh.vertices * [1.0, -1.0, 1.0]
    inner = np.array([(i, j, 5 - i - j) for i in range(6) for j in range(6 - i)]) / 5.0
    samples = np.einsum("sk,fkd->fsd", inner, mesh.vertices[mesh.triangles]).reshape(-1, 3)
    away, near = cKDTree(samples).query(mirrored)
    normals = np.repeat(vertex_normals(mesh.vertices, mesh.triangles)[mesh.triangles[:, 0]], len(inner), axis=0)
    assert away.max() < 0.0085 * plan.stature
    assert np.abs(np.sum((mirrored - samples[near]) * normals[near], axis=-1)).max() < 0.0085 * plan.stature
    other = [clip.skeleton.index(mirrored_name(name)) for name in clip.skeleton.names]
    masses = np.bincount(mesh.joints.ravel(), mesh.weights.ravel(), minlength=len(other))
    np.testing.assert_allclose(masses, masses[other], rtol=0.25, atol=8.0)


def test_skin_follows_a_rigid_turn_and_keeps_its_volume_in_motion() -> None:
    clip = human_clip(seconds=1.0)
    mesh = mannequin(clip)
    posed = skin(mesh, *(array[::10] for array in clip.world()))
    bound = volume(mesh.vertices, mesh.triangles)
    for frame in posed:
        assert volume(frame, mesh.triangles) == pytest.approx(bound, rel=0.06)
        lengths = [
            np.linalg.norm(v[mesh.triangles] - np.roll(v[mesh.triangles], 1, axis=1), axis=-1)
            for v in (frame, mesh.vertices)
        ]
        assert np.percentile(lengths[0] / lengths[1], 99.5) < 2.0


CREATURES = {
    "dog": still(dog(), 0.4),
    "chain": still(chain(8, 0.3), 0.6),
    "tiny chain": still(chain(5, 0.004)),
    "one bone": still(chain(1, 0.4)),
    "one point": still(Skeleton(("point",), np.array([-1]), np.zeros((1, 3)))),
    "legs alone": still(legs_alone()),
}


@pytest.mark.parametrize("clip", CREATURES.values(), ids=CREATURES.keys())
def test_anything_else(clip: Clip) -> None:
    mesh = mannequin(clip)
    check(mesh)
    joints = np.linalg.inv(mesh.inverse_bind)[:, :3, 3]
    extent = np.ptp(joints, axis=0).max()
    assert np.ptp(mesh.vertices, axis=0).max() < 1.7 * extent + 0.5 * (extent < 1e-9) + 0.6 * (len(joints) == 1)
    carriers = set(np.unique(mesh.joints[mesh.weights > 0.0]))
    assert len(carriers) >= 0.8 * len(clip.skeleton)


def test_a_folded_zero_pose_is_opened_for_creatures_too() -> None:
    """Two arms that lie on one another in the zero pose come apart in the clip, and so does the skin."""
    offsets = np.array([[0.0, 0.0, 0.0]] + [[0.3, 0.0, 0.0], [0.3, 0.0, 0.0]] * 2)
    skeleton = Skeleton(tuple("abcde"), np.array([-1, 0, 1, 0, 3]), offsets)
    rotations = np.tile(quat.IDENTITY, (5, 5, 1))
    for frame in range(5):
        rotations[frame, 3] = quat.exp([0.0, 0.0, 0.6 * frame])
    clip = Clip(skeleton, 30.0, rotations, np.zeros((5, 1, 3)))
    joints = np.linalg.inv(mannequin(clip).inverse_bind)[:, :3, 3]
    assert np.linalg.norm(joints[2] - joints[4]) > 0.15


def test_same_bytes_twice_and_from_the_cache(tmp_path: Path) -> None:
    clip = human_clip(motion=standing, seconds=0.2)
    first, second = mannequin(clip), mannequin(clip, folder=tmp_path)
    kept = list(tmp_path.iterdir())
    third = mannequin(clip, folder=tmp_path)
    for name in ("vertices", "triangles", "joints", "weights", "inverse_bind", "normals"):
        assert getattr(first, name).tobytes() == getattr(second, name).tobytes() == getattr(third, name).tobytes()
    assert [path.suffix for path in kept] == [".npz"]
    taller = human_clip(without(bones(), "ToeBase"), motion=standing, seconds=0.2)
    mannequin(taller, folder=tmp_path)
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("junk", [b"", b"PK\x03\x04 not a zip", b"\x00" * 2000])
def test_a_damaged_or_useless_cache_is_no_trouble(tmp_path: Path, junk: bytes) -> None:
    clip = still(chain(3, 0.2))
    fresh = mannequin(clip, folder=tmp_path)
    (kept,) = tmp_path.iterdir()
    kept.write_bytes(junk)
    assert mannequin(clip, folder=tmp_path).vertices.tobytes() == fresh.vertices.tobytes()
    assert len(kept.read_bytes()) > 2000
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    assert len(mannequin(clip, folder=blocked)) == len(fresh)


def test_cache_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "poise" / "mannequins"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert cache_folder() == Path("~/.cache/poise/mannequins").expanduser()


def test_heavier_is_thicker() -> None:
    clip = human_clip(motion=standing, seconds=0.2)
    roles = guess_roles(clip.skeleton)
    slim, stout = (mannequin(clip, build_body(clip, roles, BodyOptions(mass=mass))) for mass in (55.0, 100.0))
    assert volume(stout.vertices, stout.triangles) > 1.3 * volume(slim.vertices, slim.triangles)


DIALECTS = [
    "pybvh/cmu_12_01_walk.bvh",
    "pybvh/bvh_test2.bvh",
    "animated-drawings/rokoko_jesse_dance.bvh",
    "bandai-namco/dataset-1_kick_normal_001.bvh",
    "mocapnet/rightkick.bvh",
    "hello-avatar/jog_lsw.bvh",
    "pose-animation/pirouette.bvh",
    "bvh-toolbox/test_freebvh.bvh",
    "3dmodelfiletest/Die.bvh",
    "kinect-motion-capture/kinect_1860.bvh",
]


@pytest.mark.shared
@pytest.mark.parametrize("name", DIALECTS)
def test_real_skeletons(shared_data: Path, name: str) -> None:
    clip = read_clip(shared_data / name)
    plan = build_body(clip, guess_roles(clip.skeleton))
    mesh = mannequin(clip, plan)
    check(mesh)
    assert 0.65 < 1000.0 * volume(mesh.vertices, mesh.triangles) / plan.total_mass < 1.35


@pytest.mark.shared
@pytest.mark.parametrize("name", ["mocapnet/lhand.bvh", "fairmotion/sinusoidal.bvh"])
def test_real_skeletons_of_no_person(shared_data: Path, name: str) -> None:
    check(mannequin(read_clip(shared_data / name)))


def test_hands_without_finger_joints_have_five_fingers_apart() -> None:
    clip = human_clip()
    plan = build_body(clip, guess_roles(clip.skeleton))
    mesh = mannequin(clip, plan)
    turn, place = clip.pose(0).world()
    points = skin(mesh, turn, place)
    wrist, elbow = (place[clip.skeleton.names.index(name)] for name in ("LeftHand", "LeftForeArm"))
    along = (wrist - elbow) / np.linalg.norm(wrist - elbow)
    hand = np.linalg.norm(points - wrist, axis=1) < 0.13 * plan.stature
    for beyond, count in ((0.4, 1), (0.6, 5), (0.78, 4)):
        far = np.flatnonzero(hand & ((points - wrist) @ along > beyond * 0.104 * plan.stature))
        edges = np.concatenate([mesh.triangles[:, [k, (k + 1) % 3]] for k in range(3)])
        inner = np.searchsorted(far, edges[np.isin(edges, far).all(axis=1)])
        linked = coo_matrix((np.ones(len(inner)), inner.T), shape=(len(far), len(far)))
        assert connected_components(linked)[0] == count, beyond


def test_toes_are_as_long_as_a_persons_however_far_forward_their_joint_is() -> None:
    """The foot ends 3 to 4.5 % of stature before the toes' joint, as the balls of feet do, not at its collider's end."""
    for ahead in (0.16, 0.2, 0.24):
        rows = bones()
        for side, left in (("Left", 1.0), ("Right", -1.0)):
            rows[f"{side}ToeBase"] = Bone(f"{side}Foot", (ahead, 0.01 * left, -0.06))
        clip = human_clip(rows, motion=standing, seconds=0.2)
        plan = build_body(clip, guess_roles(clip.skeleton))
        mesh = mannequin(clip, plan)
        toes, ankle = (
            np.linalg.inv(mesh.inverse_bind)[clip.skeleton.index(f"Left{n}"), :3, 3] for n in ("ToeBase", "Foot")
        )
        foot = mesh.vertices[(mesh.vertices[:, 2] < ankle[2]) & (mesh.vertices[:, 1] > 0.0)]
        assert 0.03 < (foot[:, 0].max() - toes[0]) / plan.stature < 0.045


def test_parts_left_out_for_being_far_change_nothing() -> None:
    """The surface is settled with the near parts only: the same bits as with all of them."""
    clip = human_clip(motion=standing, seconds=0.2)
    plan = build_body(clip, guess_roles(clip.skeleton))
    figure = Figure(plan, person_pose(clip, plan))
    parts = pack(person_parts(figure))
    hull = surface(parts, figure.stature)
    everywhere = np.broadcast_to(np.array([[-1e9], [1e9]]), parts.boxes.shape).copy()
    settled = []
    for boxes in (parts.boxes, everywhere):
        vertices = hull.vertices.copy()
        settle((parts.frames, parts.profiles, parts.cuts, boxes), 2e-4, 2e-3, hull.triangles, 2, vertices)
        settled.append(vertices)
    assert np.abs(settled[0] - hull.vertices).max() > 1e-5
    np.testing.assert_array_equal(*settled)


def test_a_head_has_a_direction() -> None:
    """Seen from the front, what stands out furthest at the eyes' height is the nose; ears stand out aside."""
    clip = human_clip()
    plan = build_body(clip, guess_roles(clip.skeleton))
    mesh = mannequin(clip, plan)
    turn, place = clip.pose(0).world()
    points = skin(mesh, turn, place)
    head = points[points[:, 2] > points[:, 2].max() - 0.12 * plan.stature]
    middle = 0.5 * (head.min(axis=0) + head.max(axis=0))
    ahead = head[np.argmax(head[:, 0])]
    assert abs(ahead[1] - middle[1]) < 0.006 * plan.stature, "the nose is in the middle"
    beside = np.abs(head[:, 1] - middle[1]) > 0.03 * plan.stature
    assert ahead[0] > head[beside, 0].max() + 0.02 * plan.stature
    rear = head[:, 0].min()
    ears = head[np.argmax(np.abs(head[:, 1] - middle[1]))]
    assert 0.2 < (ears[0] - rear) / (ahead[0] - rear) < 0.6, "ears are where ears are"


def test_a_seat_stands_out_behind_the_small_of_the_back() -> None:
    clip = human_clip()
    plan = build_body(clip, guess_roles(clip.skeleton))
    mesh = mannequin(clip, plan)
    hip = np.linalg.inv(mesh.inverse_bind)[clip.skeleton.index("LeftUpLeg"), :3, 3]

    def depth(height: float) -> np.ndarray:
        """Least and greatest x of the trunk at a height above the hips, as shares of stature."""
        x, y, z = ((mesh.vertices - hip) / plan.stature).T
        band = (np.abs(z - height) < 0.01) & (np.abs(y) < 0.2)
        return np.array([x[band].min(), x[band].max()])

    seat, back = depth(-0.01), depth(0.1)
    assert seat[0] < back[0] - 0.01
    assert -seat[0] > seat[1] + 0.01


def test_how_far_skin_is_from_bones_is_what_many_points_on_them_say(rng: np.random.Generator) -> None:
    starts, ends, points = (rng.normal(size=(count, 3)) for count in (5, 5, 40))
    squares = np.zeros((40, 5))
    bone_distances(starts, ends, points, squares)
    along = np.linspace(0.0, 1.0, 2001)[:, None, None]
    away = np.linalg.norm(points[:, None, None] - (starts + along * (ends - starts)), axis=-1).min(axis=1)
    assert np.sqrt(squares) == pytest.approx(away, abs=2e-3)
