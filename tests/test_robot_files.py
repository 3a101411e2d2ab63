"""Robot files from outside: what is refused, in one line each, and what the command line says of a good one."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import Command
from poise.assets import clip_path
from poise.errors import InputError
from poise.io.robot import read_robot_description
from poise.io.robot.description import _MOST_BODIES, _MOST_ELEMENTS
from poise.robots import read_robot
from robot_samples import humanoid_mjcf, humanoid_urdf

GOOD = humanoid_mjcf()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<mujoco><worldbody>", "line 1: is not XML"),
        ("<sdf/>", "outermost element is 'sdf'; allowed: mujoco"),
        ("<mujoco/>", "worldbody: has no bodies"),
        ('<robot name="x"/>', "has no links"),
        ("<!DOCTYPE x [<!ENTITY a 'b'>]><mujoco>&a;</mujoco>", "document types and entities are not taken"),
        ('<robot xmlns:xacro="x"><xacro:macro name="y"/></robot>', "xacro template"),
        (GOOD.replace("joint name", "geom name").replace("<freejoint", "<site"), "MuJoCo does not take it"),
        ('<mujoco><worldbody><body name="a"><geom size="1"/></body></worldbody></mujoco>', "has no hinges"),
        (
            '<mujoco><worldbody><body name="a"><geom size="1"/><joint name="b"/></body></worldbody></mujoco>',
            "a: is the base and has hinges against the world",
        ),
        (
            '<mujoco><worldbody><body name="a"><geom size="1"/><body name="b"><geom size="1"/><joint/></body></body>'
            "</worldbody></mujoco>",
            "this is no humanoid: no body is found for left_upper_arm",
        ),
        (
            GOOD.replace('<joint name="neck" axis="0 0 1" range="-60 60"', '<joint name="neck" type="ball"'),
            "neck: is a ball joint",
        ),
        (GOOD.replace("<worldbody>", '<worldbody><include file="../other.xml"/>'), "'../other.xml' is outside"),
        (GOOD.replace("<worldbody>", '<worldbody><include file="/etc/passwd"/>'), "is outside the file's folder"),
        (GOOD.replace("<worldbody>", '<worldbody><include file="robot.xml"/>'), "includes 'robot.xml' twice"),
        (GOOD.replace("<worldbody>", '<worldbody><include file="gone.xml"/>'), "gone.xml: there is no such file"),
        (GOOD.replace("<worldbody>", '<worldbody><replicate count="9"/>'), "'replicate' is not taken"),
        ("<mujoco>" + "<a>" * 300 + "</a>" * 300 + "</mujoco>", "nested too deeply"),
        ("<mujoco>" + "<a/>" * (_MOST_ELEMENTS + 1) + "</mujoco>", "elements; no more are read"),
        ("<robot name='x'>" + "<link/>" * (_MOST_BODIES + 1) + "</robot>", "more than 1000 bodies"),
        (GOOD.replace('pos="0 0 0.95"', 'pos="0 0 nan"'), ""),
        ("", "the file is empty"),
    ],
)
def test_what_is_refused(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "robot.xml").write_text(text)
    with pytest.raises(InputError) as caught:
        read_robot(tmp_path / "robot.xml")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert ".xml" in str(caught.value)


def test_includes_of_the_folder_are_read(tmp_path: Path) -> None:
    body = GOOD[GOOD.index('<body name="pelvis"') : GOOD.index("</worldbody>")]
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "body.xml").write_text(f"<mujocoinclude>{body}</mujocoinclude>")
    (tmp_path / "robot.xml").write_text(GOOD.replace(body, '<include file="parts/body.xml"/>'))
    (tmp_path / "whole.xml").write_text(GOOD)
    assert read_robot(tmp_path / "robot.xml").model.joint_names == read_robot(tmp_path / "whole.xml").model.joint_names


def test_nothing_that_is_left_names_a_file(tmp_path: Path) -> None:
    (tmp_path / "robot.xml").write_text(humanoid_mjcf(meshes=True))
    (tmp_path / "robot.urdf").write_text(humanoid_urdf())
    for name, meshes in (("robot.xml", 2), ("robot.urdf", 22)):
        description = read_robot_description(tmp_path / name)
        assert description.meshes == meshes
        assert "file" not in description.xml
        assert "mesh" not in description.xml


@pytest.mark.parametrize(
    ("roles", "said"),
    [
        ({"left_thig": "left_thigh"}, "unknown body 'left_thig', did you mean 'left_thigh'"),
        ({"left_shin": "left_knee"}, "unknown role 'left_knee'"),
        ({"torso": "left_shank"}, "'torso' (left_shank) does not hang below 'left_thigh' (left_thigh)"),
        ({"left_shin": None}, "no body is found for left_shank"),
    ],
)
def test_wrong_role_maps(roles: dict[str, str | None], said: str, tmp_path: Path) -> None:
    (tmp_path / "robot.xml").write_text(GOOD)
    with pytest.raises(InputError) as caught:
        read_robot(tmp_path / "robot.xml", roles)
    assert said in str(caught.value)


def test_the_command_line_looks_at_robots_and_moves_them(command: Command, tmp_path: Path) -> None:
    (tmp_path / "robot.xml").write_text(GOOD)
    code, out, _ = command("inspect", tmp_path / "robot.xml", "--json")
    facts = json.loads(out)
    assert code == 0
    assert facts["mass_kg"] == pytest.approx(52.2)
    assert [body["role"] for body in facts["bodies"]][:2] == ["pelvis", "left_thigh"]
    code, out, _ = command("inspect", tmp_path / "robot.xml")
    assert code == 0
    assert "52.2 kg, 1.6" in out.replace("\n", " ")
    code, out, _ = command(
        "convert", clip_path("walk"), tmp_path / "walk.csv", "--onto", tmp_path / "robot.xml", "--json"
    )
    assert code == 0
    assert json.loads(out)["columns"][:2] == ["root.x", "root.y"]
    assert (tmp_path / "walk.csv").read_text().startswith("# rate_hz: 30.0\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("convert", "{clip}", "x.bvh", "--onto", "{robot}"),
            "a robot's trajectory is written as .csv or .npz, not '.bvh'",
        ),
        (("convert", "{clip}", "x.csv", "--onto", "{robot}", "--onto-unit", "cm"), "robots are in metres"),
        (("convert", "{clip}", "x.csv", "--onto", "nowhere.urdf"), "nowhere.urdf: there is no such file"),
        (("inspect", "{robot}", "--unit", "cm"), "--unit goes with a clip"),
    ],
)
def test_wrong_command_lines(command: Command, words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    (tmp_path / "robot.xml").write_text(GOOD)
    filled = [word.format(clip=clip_path("walk"), robot=tmp_path / "robot.xml") for word in words]
    code, _, err = command(*filled)
    assert code == 2
    assert said in err


def test_what_mujoco_says_of_a_file_goes_into_no_file(tmp_path: Path) -> None:
    """It would write `MUJOCO_LOG.TXT` where one works, unless somebody listens before the first file is read."""
    odd = tmp_path / "odd.xml"
    odd.write_text(GOOD.replace('pos="0 0 0.95"', 'pos="0 0 nan"'), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "poise", "inspect", odd.name], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert [file.name for file in tmp_path.iterdir()] == ["odd.xml"]
