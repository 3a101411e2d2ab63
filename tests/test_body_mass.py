"""Mass tables against their printed sources, and inertias against integration and MuJoCo."""

from __future__ import annotations

import mujoco as mj
import numpy as np
import pytest

from _builders import bones, human_clip, human_plan, inserted, mirrored_clip, mirrored_name, on_one_line, without
from poise.body import BodyOptions, Collider
from poise.body.inertia import about, collider_inertia, rod_inertia
from poise.body.mass import MASS_TABLES, SEGMENTS, mass_table
from poise.body.segments import segment_shares
from poise.errors import InputError
from poise.math import quat

LIMBS = ("upper_arm", "forearm", "hand", "thigh", "shank", "foot")

# De Leva 1996 as in method-notes 7: mass %, centre %, radii of gyration % (sagittal, transverse, longitudinal).
DE_LEVA = {
    "deleva_male": {
        "upper_arm": (2.71, 57.72, 28.5, 26.9, 15.8),
        "forearm": (1.62, 45.74, 27.6, 26.5, 12.1),
        "hand": (0.61, 79.00, 62.8, 51.3, 40.1),
        "thigh": (14.16, 40.95, 32.9, 32.9, 14.9),
        "shank": (4.33, 44.59, 25.5, 24.9, 10.3),
        "foot": (1.37, 44.15, 25.7, 24.5, 12.4),
    },
    "deleva_female": {
        "upper_arm": (2.55, 57.54, 27.8, 26.0, 14.8),
        "forearm": (1.38, 45.59, 26.1, 25.7, 9.4),
        "hand": (0.56, 74.74, 53.1, 45.4, 33.5),
        "thigh": (14.78, 36.12, 36.9, 36.4, 16.2),
        "shank": (4.81, 44.16, 27.1, 26.7, 9.3),
        "foot": (1.29, 40.14, 29.9, 27.9, 13.9),
    },
}
TRUNKS = {
    "deleva_male": {"head_neck": 6.94, "upper_trunk": 15.96, "middle_trunk": 16.33, "lower_trunk": 11.17},
    "deleva_female": {"head_neck": 6.68, "upper_trunk": 15.45, "middle_trunk": 14.65, "lower_trunk": 12.47},
}
PRINTED_SUM = {"deleva_male": 100.0, "deleva_female": 99.99}
# Dempster via Winter: mass fraction, centre, radius of gyration.
WINTER = {
    "hand": (0.006, 0.506, 0.297),
    "forearm": (0.016, 0.430, 0.303),
    "upper_arm": (0.028, 0.436, 0.322),
    "foot": (0.0145, 0.500, 0.475),
    "shank": (0.0465, 0.433, 0.302),
    "thigh": (0.100, 0.433, 0.323),
}
# Hu 2024, Table 1 as printed; limbs once.
HU_LIMBS = {"upper_arm": 3.17, "forearm": 2.18, "hand": 0.77, "thigh": 10.06, "shank": 6.04, "foot": 1.50}


@pytest.mark.parametrize("name", MASS_TABLES)
def test_shares_sum_to_one(name: str) -> None:
    shares = mass_table(name).shares
    assert set(shares) == set(SEGMENTS)
    assert abs(sum(share * (2 if segment in LIMBS else 1) for segment, share in shares.items()) - 1.0) < 1e-12


@pytest.mark.parametrize("name", DE_LEVA)
def test_de_leva_as_printed(name: str) -> None:
    table, total = mass_table(name), PRINTED_SUM[name]
    printed = {segment: row[0] for segment, row in DE_LEVA[name].items()} | TRUNKS[name]
    assert abs(sum(value * (2 if s in LIMBS else 1) for s, value in printed.items()) - total) < 1e-9
    for segment, value in printed.items():
        assert table.shares[segment] == pytest.approx(value / total, abs=1e-12)
    for segment, (_, centre, *radii) in DE_LEVA[name].items():
        assert 100.0 * table.centres[segment] == pytest.approx(centre, abs=1e-9)
        assert [100.0 * r for r in table.radii[segment]] == pytest.approx(radii, abs=1e-9)


def test_winter_as_printed() -> None:
    table = mass_table("winter")
    trunk = {"lower_trunk": 0.142, "middle_trunk": 0.139, "upper_trunk": 0.216, "head_neck": 0.081}
    for segment, value in ({s: row[0] for s, row in WINTER.items()} | trunk).items():
        assert table.shares[segment] == pytest.approx(value, abs=1e-12)
    for segment, (_, centre, radius) in WINTER.items():
        assert table.centres[segment] == pytest.approx(centre)
        assert table.radii[segment][:2] == pytest.approx((radius, radius))


@pytest.mark.parametrize(("name", "trunk"), [("hu2024", 44.08 + 24.80), ("hu2024_trunk", 44.08)])
def test_hu_2024_in_both_readings(name: str, trunk: float) -> None:
    shares, head = mass_table(name).shares, 5.78 + 1.61
    total = trunk + head + 2.0 * sum(HU_LIMBS.values())
    assert total == pytest.approx({"hu2024": 123.71, "hu2024_trunk": 98.91}[name], abs=0.005)
    assert sum(shares[part] for part in SEGMENTS[:3]) == pytest.approx(trunk / total, abs=1e-12)
    assert shares["lower_trunk"] == pytest.approx(24.80 / total, abs=1e-12)
    assert shares["head_neck"] == pytest.approx(head / total, abs=1e-12)
    for segment, value in HU_LIMBS.items():
        assert shares[segment] == pytest.approx(value / total, abs=1e-12)


def test_alvarado_2022_masses_in_kilograms() -> None:
    # Table 2 and the project's legs; chest 25.2 and upper chest 10 with the two shoulders of 1 kg.
    printed = {"upper_arm": 2.95, "forearm": 1.59, "hand": 0.5, "thigh": 8.79, "shank": 5.14, "foot": 1.24}
    total = 10.56 + 25.2 + 12.0 + 4.8 + 2.0 * sum(printed.values())
    assert total - 2.0 * 1.24 == pytest.approx(90.5, abs=0.01)
    shares = mass_table("alvarado2022").shares
    for segment, value in ({"lower_trunk": 10.56, "middle_trunk": 25.2, "upper_trunk": 12.0} | printed).items():
        assert total * shares[segment] == pytest.approx(value, abs=1e-9)
    plan = human_plan(table="alvarado2022", mass=total)
    for body, mass in (("LeftArm", 2.95), ("RightForeArm", 1.59), ("LeftHand", 0.5), ("Hips", 10.56), ("Spine", 25.2)):
        assert plan.masses[plan.index(body)] == pytest.approx(mass, abs=1e-9)


def test_densities_of_van_welbergen_give_relative_masses() -> None:
    plan, table = human_plan(table="vanwelbergen2009", mass=70.0), mass_table("vanwelbergen2009")
    printed = {"forearm": 1130, "hand": 1160, "thigh": 1050, "shank": 1090, "foot": 1100, "upper_arm": 1070}
    density = {s: table.densities[s] for s in printed}
    assert density == printed
    volume = {part: plan.colliders[plan.with_role(f"left_{part}")[0]][0].volume for part in printed}
    mass = {part: plan.masses[plan.with_role(f"left_{part}")[0]] for part in printed}
    assert mass["thigh"] / mass["hand"] == pytest.approx(1050 * volume["thigh"] / (1160 * volume["hand"]))


def test_an_unknown_table_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"body\.table: must be deleva_male, deleva_female"):
        human_plan(table="fat")


@pytest.mark.parametrize("options", [{"mass": 0.0}, {"mass": float("nan")}, {"mass": 2000.0}, {"stature": 0.01}])
def test_options_out_of_range_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(InputError, match=r"must be a number from 0\.1 to"):
        BodyOptions(**options)


@pytest.mark.parametrize("stature", [1.0, 3.0])
def test_a_stature_that_does_not_fit_the_skeleton_is_refused_and_one_that_does_is_taken(stature: float) -> None:
    with pytest.raises(
        InputError, match=rf"a stature of {stature:g} m does not fit this skeleton, which stands 1\.\d+ m tall"
    ):
        human_plan(stature=stature)
    assert human_plan(stature=1.6).stature == 1.6


VARIANTS = {
    "full": bones(),
    "no hands": without(bones(), "Hand"),
    "no clavicles": without(bones(), "Shoulder"),
    "no neck": without(bones(), "Neck"),
    "no neck or head": without(bones(), "Neck", "Head"),
    "no spine": without(bones(), "Spine", "Chest"),
    "no toes": without(bones(), "ToeBase"),
    "bare": without(bones(), "Hand", "Shoulder", "Neck", "Head", "ToeBase", "Chest"),
    "extra spine": inserted(bones(), "Spine1", "Chest"),
}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", MASS_TABLES)
def test_bodies_weigh_what_was_asked_and_are_real_solids(variant: str, name: str) -> None:
    clip = human_clip(VARIANTS[variant], seconds=0.3)
    plan = human_plan(clip, table=name, mass=70.0)
    assert plan.total_mass == pytest.approx(70.0, abs=1e-10)
    assert plan.masses.min() > 0.0
    moments = np.linalg.eigvalsh(plan.inertias)
    assert moments.min() > 0.0
    # No solid has a moment larger than the sum of the other two.
    assert np.all(moments[:, 2] <= moments[:, 0] + moments[:, 1] + 1e-12)
    assert np.allclose(plan.inertias, np.swapaxes(plan.inertias, 1, 2), atol=1e-15)


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_segment_is_dealt_out_exactly_once(variant: str) -> None:
    plan = human_plan(human_clip(VARIANTS[variant], seconds=0.3))
    dealt: dict[str, float] = {}
    for shares in segment_shares(plan.body_roles):
        for segment, part in shares.items():
            dealt[segment] = dealt.get(segment, 0.0) + part
    assert dealt == pytest.approx({segment: 2.0 if segment in LIMBS else 1.0 for segment in SEGMENTS})


def test_missing_parts_weigh_on_their_neighbor() -> None:
    full = human_plan(mass=70.0)
    handless = human_plan(human_clip(VARIANTS["no hands"], seconds=0.3), mass=70.0)
    hand, arm = full.masses[full.index("LeftHand")], full.masses[full.index("LeftForeArm")]
    body = handless.index("LeftForeArm")
    assert handless.masses[body] == pytest.approx(arm + hand, rel=1e-9)
    # The hand sits at the end of the forearm, so the common centre moves outwards.
    assert np.linalg.norm(handless.centres[body]) > np.linalg.norm(full.centres[full.index("LeftForeArm")])


def test_limbs_have_the_tables_centre_and_radii() -> None:
    plan = human_plan(mass=70.0)
    for part, length in (("LeftArm", 0.28), ("RightForeArm", 0.25)):
        body, row = plan.index(part), DE_LEVA["deleva_male"]["upper_arm" if part.endswith("tArm") else "forearm"]
        assert plan.masses[body] == pytest.approx(0.7 * row[0])
        assert np.linalg.norm(plan.centres[body]) == pytest.approx(0.01 * row[1] * length)
        across = 0.005 * (row[2] + row[3]) * length
        expected = [(0.01 * row[4] * length) ** 2, across**2, across**2]
        assert np.linalg.eigvalsh(plan.inertias[body]) / plan.masses[body] == pytest.approx(expected)


def test_left_and_right_are_mirror_images() -> None:
    clip = human_clip(seconds=1.0)
    plan, other = human_plan(clip), human_plan(mirrored_clip(clip))
    flip = np.array([1.0, -1.0, 1.0])
    for body, name in enumerate(plan.names):
        twin = other.index(mirrored_name(name))
        assert plan.masses[body] == pytest.approx(other.masses[twin], abs=1e-12)
        assert np.allclose(plan.centres[body], flip * other.centres[twin], atol=1e-12)
        assert np.allclose(plan.inertias[body], np.outer(flip, flip) * other.inertias[twin], atol=1e-12)
        assert np.allclose(plan.offsets[body], flip * other.offsets[twin], atol=1e-12)
        limits, mirrored = plan.limits[body], other.limits[twin]
        if body:
            assert np.allclose(limits.lower, [-mirrored.upper[0], mirrored.lower[1], -mirrored.upper[2]], atol=1e-9)
            assert np.allclose(limits.upper, [-mirrored.lower[0], mirrored.upper[1], -mirrored.lower[2]], atol=1e-9)
        shape, image = plan.colliders[body][0], other.colliders[twin][0]
        assert np.allclose(shape.size, image.size, atol=1e-12)
        assert np.allclose(shape.position, flip * image.position, atol=1e-12)


def test_the_files_own_axes_do_not_change_the_body() -> None:
    clip = human_clip(seconds=1.0)
    plan, other = human_plan(clip, stature=1.8), human_plan(on_one_line(clip), stature=1.8)
    assert np.allclose(plan.masses, other.masses, rtol=1e-12)
    for body, name in enumerate(plan.names):
        if name.endswith(("Arm", "Leg", "Hand")):
            assert np.linalg.norm(plan.centres[body]) == pytest.approx(np.linalg.norm(other.centres[body]))


TURN = quat.exp([0.4, -1.1, 0.7])
SOLIDS = {
    "sphere": Collider("sphere", np.array([0.13, 0.0, 0.0]), np.array([0.1, 0.2, 0.3]), TURN),
    "capsule": Collider("capsule", np.array([0.07, 0.21, 0.0]), np.array([0.1, 0.2, 0.3]), TURN),
    "flat capsule": Collider("capsule", np.array([0.2, 0.0, 0.0]), np.zeros(3), TURN),
    "box": Collider("box", np.array([0.1, 0.2, 0.05]), np.array([-0.1, 0.0, 0.3]), TURN),
}


def inside(solid: Collider, points: np.ndarray) -> np.ndarray:
    if solid.kind == "box":
        return np.all(np.abs(points) <= solid.size, axis=1)
    half = solid.size[1] if solid.kind == "capsule" else 0.0
    beyond = np.maximum(np.abs(points[:, 2]) - half, 0.0)
    return points[:, 0] ** 2 + points[:, 1] ** 2 + beyond**2 <= solid.size[0] ** 2


@pytest.mark.parametrize("name", SOLIDS)
def test_solid_inertia_and_volume_against_integration(name: str) -> None:
    solid = SOLIDS[name]
    radius, half, _ = solid.size
    reach = solid.size if solid.kind == "box" else np.array([radius, radius, radius + half])
    grid = [np.linspace(-r, r, 121)[:-1] + r / 120 for r in reach]
    points = np.stack(np.meshgrid(*grid, indexing="ij"), axis=-1).reshape(-1, 3)
    within = points[inside(solid, points)]
    cell = float(np.prod(2.0 * reach / 120))
    assert solid.volume == pytest.approx(len(within) * cell, rel=5e-3)
    outer = np.einsum("ni,nj->ij", within, within) / len(within)
    axes = quat.to_matrix(solid.rotation)
    expected = 3.0 * axes @ (np.trace(outer) * np.eye(3) - outer) @ axes.T
    tensor = collider_inertia(solid, 3.0)
    assert np.abs(tensor - expected).max() < 5e-3 * np.abs(expected).max()


@pytest.mark.parametrize("name", SOLIDS)
def test_solid_inertia_and_volume_against_mujoco(name: str) -> None:
    solid = SOLIDS[name]
    spec = mj.MjSpec()
    body = spec.worldbody.add_body()
    kind = getattr(mj.mjtGeom, f"mjGEOM_{solid.kind.upper()}")
    size = np.where(solid.size > 0.0, solid.size, 1e-9)
    body.add_geom(type=kind, size=size, pos=solid.position, quat=solid.rotation, density=1000.0)
    model = spec.compile()
    assert model.body_mass[1] == pytest.approx(1000.0 * solid.volume, rel=1e-6)
    axes = quat.to_matrix(model.body_iquat[1])
    expected = axes @ np.diag(model.body_inertia[1]) @ axes.T
    assert np.allclose(collider_inertia(solid, model.body_mass[1]), expected, rtol=1e-6, atol=1e-6 * expected.max())
    assert np.allclose(model.body_ipos[1], solid.position, atol=1e-9)


def test_parallel_axes_and_rods() -> None:
    # Two halves of a rod of points add up to the whole.
    direction, mass, length = np.array([0.6, 0.0, 0.8]), 4.0, 1.2
    thin = (np.sqrt(1 / 12), np.sqrt(1 / 12), 0.0)
    half = rod_inertia(direction, length / 2, mass / 2, thin)
    whole = about(half, mass / 2, direction * length / 4) + about(half, mass / 2, -direction * length / 4)
    assert np.allclose(whole, rod_inertia(direction, length, mass, thin), atol=1e-12)
    assert rod_inertia([0, 0, 1], 2.0, 3.0, (0.3, 0.3, 0.1)) == pytest.approx(np.diag([1.08, 1.08, 0.12]))


def test_a_body_without_a_role_takes_a_little_from_its_parent() -> None:
    rows = inserted(bones(), "LeftArmTwist", "LeftForeArm")

    def turning(time: float) -> dict[str, np.ndarray]:
        from _builders import walking

        return walking(time) | {"LeftArmTwist": np.array([0.0, 0.3 * np.sin(5.0 * time), 0.0])}

    plan = human_plan(human_clip(rows, turning), mass=70.0)
    still = human_plan(human_clip(rows), mass=70.0)
    helper, arm = plan.index("LeftArmTwist"), plan.index("LeftArm")
    assert plan.body_roles[helper] is None
    assert plan.masses[helper] == pytest.approx(0.14)
    assert plan.masses[arm] + plan.masses[helper] == pytest.approx(still.masses[still.index("LeftArm")])
    assert plan.total_mass == pytest.approx(70.0, abs=1e-10)
