"""The report in a real browser: the replay is drawn, moves and can be switched; nothing leaves the page.

Chromium is looked for on the path; playwright-core in `$POISE_PLAYWRIGHT` (a `node_modules` folder), else in
`node_modules` of the checkout (`npm install --no-save playwright-core`).
"""

import io
import json
import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from _builders import human_clip
from poise.body.mannequin import mannequin
from poise.motion.markers import Markers
from poise.motion.skin import Material
from poise.report.page import write_report
from poise.runtime import Character, Session
from poise.world import Ball, Plant, SceneSpec

pytestmark = pytest.mark.slow

MODULES = Path(os.environ.get("POISE_PLAYWRIGHT", Path(__file__).resolve().parents[1] / "node_modules"))
BROWSERS = ("chromium", "chromium-browser", "google-chrome")

SCRIPT = """
const { chromium } = require(process.argv[2] + '/playwright-core');
const [executablePath, url, folder] = process.argv.slice(3);
const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync'];
const told = { requests: [], errors: [] };
const settled = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
const timeOf = async (page) => { await settled(page); return parseFloat(await page.locator('#time').textContent()); };
const readyOf = (page) => page.evaluate(() => document.documentElement.dataset.ready);

async function open(options, extra = []) {
  const browser = await chromium.launch({ executablePath, args: [...flags, ...extra] });
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })).newPage();
  page.on('request', (request) => told.requests.push(request.url()));
  page.on('console', (message) => { if (message.type() === 'error') told.errors.push(message.text()); });
  page.on('pageerror', (error) => told.errors.push(error.message));
  await page.goto(url);
  await page.waitForFunction(() => document.documentElement.dataset.ready, null, { timeout: 60000 });
  return { browser, page };
}

(async () => {
  const { browser, page } = await open({ colorScheme: 'light' });
  const canvas = page.locator('#canvas'), time = () => timeOf(page);
  const picture = async (name) => { await settled(page); await canvas.screenshot({ path: `${folder}/${name}.png` }); };
  const scrub = (seconds) => page.locator('#scrub').evaluate((range, at) => {
    range.value = 1000 * at;
    range.dispatchEvent(new Event('input'));
  }, seconds);
  told.ready = await readyOf(page);
  await page.locator('#follow').uncheck();
  await scrub(0.1); await picture('early');
  await scrub(0.1); await picture('again');
  await page.locator('#ghost').uncheck(); await page.locator('#forces').uncheck(); await page.locator('#props').uncheck();
  await picture('bare'); await scrub(0.3); await picture('moved'); told.scrubbed = await time();
  await page.locator('#ghost').check(); await page.locator('#props').check();
  const mark = page.locator('.mark.touch').first();
  told.mark = Number(await mark.getAttribute('data-time'));
  await mark.click(); told.jumped = await time(); await picture('noforce');
  await page.locator('#forces').check(); await picture('force');
  await scrub(told.mark + 0.15); await picture('ghost'); await page.locator('#ghost').uncheck(); await picture('noghost');
  await page.locator('#colliders').check(); await picture('colliders'); await page.locator('#colliders').uncheck();
  await page.locator('#markers').uncheck(); await picture('unmarked'); await page.locator('#markers').check();
  const box = await canvas.boundingBox();
  await page.mouse.move(box.x + 300, box.y + 200); await page.mouse.down();
  await page.mouse.move(box.x + 420, box.y + 210, { steps: 4 }); await page.mouse.up(); await picture('turned');
  await page.keyboard.press('Home'); await page.keyboard.press('ArrowRight'); told.stepped = await time();
  await page.keyboard.press('Home'); await page.keyboard.press('PageDown'); told.next = await time();
  await page.selectOption('#speed', '2'); await page.getByText('follow').last().click(); await mark.click();
  await page.keyboard.press('Home'); await page.keyboard.press('Space');
  await page.waitForTimeout(1500); told.played = await time();
  await page.locator('aside li button').first().click(); told.listed = await time();
  told.first = Number(await page.locator('aside li button').first().getAttribute('data-time'));
  const plot = page.locator('.plot svg').first(); await plot.scrollIntoViewIfNeeded();
  const at = await plot.boundingBox();
  await page.mouse.click(at.x + at.width * (52 + 576 / 2) / 640, at.y + 50); told.charted = await time();
  told.end = await page.evaluate(() => JSON.parse(document.getElementById('listing').textContent).end);
  await browser.close();
  const plain = await open({}, ['--disable-3d-apis']);
  told.without = { ready: await readyOf(plain.page), said: await plain.page.locator('#trouble').innerText() };
  await plain.page.locator('.mark.touch').first().click();
  told.without.time = await timeOf(plain.page);
  await plain.browser.close();
  console.log(JSON.stringify(told));
})().catch((error) => { console.error(error); process.exit(1); });
"""


COLORS = """
const { chromium } = require(process.argv[2] + '/playwright-core');
const [executablePath, url, folder] = process.argv.slice(3);
(async () => {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  const page = await browser.newPage({ viewport: { width: 900, height: 700 } }), told = { requests: [], errors: [] };
  page.on('request', (request) => told.requests.push(request.url()));
  page.on('pageerror', (error) => told.errors.push(error.message));
  await page.goto(url);
  await page.waitForFunction(() => document.documentElement.dataset.ready === 'replay', null, { timeout: 60000 });
  for (const id of ['ghost', 'props', 'forces']) await page.locator(`#${id}`).uncheck();
  for (const name of ['own', 'modes']) {
    await page.locator('#own').setChecked(name === 'own');
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await page.locator('#canvas').screenshot({ path: `${folder}/${name}.png` });
    told[name] = await page.locator('.legend').innerText();
  }
  await browser.close();
  console.log(JSON.stringify(told));
})().catch((error) => { console.error(error); process.exit(1); });
"""


def struck() -> Session:
    """A walk during which a ball hits the left forearm."""
    character = Character.from_clip(human_clip())
    bare = Session({"walker": character})
    forearm = bare.world.layout("walker").bodies[character.plan.with_role("left_forearm")[0]]
    x, y, z = (float(value) for value in bare.world.data.xpos[forearm])
    ball = Ball(name="ball", position=(x + 0.2, y + 1.2, z), velocity=(0.0, -5.0, 0.5), radius=0.1, mass=1.0, time=0.1)
    reed = Plant(name="reed", position=(1.0, 0.8, 0.0), length=1.0, mass=0.3, stiffness=15.0, damping=2.0)
    clip = character.clip
    markers = Markers(clip.skeleton.names, clip.rate, clip.world_positions()[0] + 0.03)
    session = Session({"walker": character}, SceneSpec(props=[ball, reed], floor=character.floor, markers=markers))
    session.run()
    return session


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Path]:
    """What the browser told, and the folder of its pictures."""
    folder = tmp_path_factory.mktemp("report")
    return driven(struck(), SCRIPT, folder), folder


def driven(session: Session, script: str, folder: Path) -> dict[str, Any]:
    """What a script tells that drives the browser through a session's report."""
    node, browser = shutil.which("node"), next(filter(None, map(shutil.which, BROWSERS)), None)
    if node is None or browser is None:
        pytest.skip(f"needs node and Chromium on the path; node: {node}, Chromium: {browser}")
    if not (MODULES / "playwright-core").is_dir():
        pytest.skip(f"playwright-core is not in {MODULES}; POISE_PLAYWRIGHT names another node_modules folder")
    write_report(folder / "report.html", session, title="a walk")
    (folder / "drive.cjs").write_text(script, encoding="utf-8")
    url = (folder / "report.html").as_uri()
    command = [node, str(folder / "drive.cjs"), str(MODULES), browser, url, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def changed(folder: Path, first: str, second: str) -> float:
    """Share of pixels that differ visibly between two pictures."""
    a, b = (np.asarray(Image.open(folder / f"{name}.png").convert("RGB"), dtype=int) for name in (first, second))
    return float((np.abs(a - b).max(axis=2) > 24).mean())


def test_replay_is_drawn(shown: tuple[dict[str, Any], Path]) -> None:
    told, folder = shown
    assert told["ready"] == "replay"
    picture = np.asarray(Image.open(folder / "early.png").convert("RGB"))
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 500
    assert changed(folder, "early", "again") == 0.0


def test_scrubber_moves_limbs_and_nothing_else(shown: tuple[dict[str, Any], Path]) -> None:
    told, folder = shown
    assert told["scrubbed"] == pytest.approx(0.3, abs=0.006)
    assert 0.002 < changed(folder, "bare", "moved") < 0.3


@pytest.mark.parametrize(
    ("off", "on"),
    [("bare", "early"), ("noforce", "force"), ("noghost", "ghost"), ("noghost", "colliders"), ("unmarked", "noghost")],
)
def test_switches_change_the_picture(shown: tuple[dict[str, Any], Path], off: str, on: str) -> None:
    assert 0.0003 < changed(shown[1], off, on) < 0.3


def test_dragging_turns_the_view(shown: tuple[dict[str, Any], Path]) -> None:
    assert changed(shown[1], "noghost", "turned") > 0.02


def test_timeline_list_charts_and_keys_jump(shown: tuple[dict[str, Any], Path]) -> None:
    told, _ = shown
    assert told["jumped"] == pytest.approx(told["mark"], abs=0.006)
    assert told["listed"] == told["next"] == pytest.approx(told["first"], abs=0.006)
    assert told["stepped"] == pytest.approx(1.0 / 30.0, abs=0.006)
    assert told["charted"] == pytest.approx(0.5 * told["end"], abs=0.02)
    assert told["played"] > 0.1


def test_nothing_leaves_the_page_and_nothing_fails(shown: tuple[dict[str, Any], Path]) -> None:
    told, _ = shown
    assert [each for each in told["requests"] if not each.startswith(("data:", "file:"))] == []
    assert {each.rpartition("/")[2] for each in told["requests"] if each.startswith("file:")} == {"report.html"}
    assert told["errors"] == []


def test_without_webgl_the_rest_works(shown: tuple[dict[str, Any], Path]) -> None:
    without = shown[0]["without"]
    assert without["ready"] == "page"
    assert "WebGL 2" in without["said"]
    assert without["time"] == pytest.approx(shown[0]["mark"], abs=0.006)


def dressed() -> Session:
    """A walk in a skin whose image is green above and red below, of which the left upper corner is used; blue legs."""
    character = Character.from_clip(human_clip())
    mesh = mannequin(character.clip, character.plan)
    pixels = np.zeros((64, 64, 3), np.uint8)
    pixels[:32, :, 1] = pixels[32:, :, 0] = 200
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, "PNG")
    below = mesh.vertices[mesh.triangles].mean(axis=1)[:, 2] < np.median(mesh.vertices[:, 2])
    own = replace(
        mesh,
        uvs=np.full((len(mesh), 2), 0.25),
        triangle_materials=below.astype(int),
        materials=(Material((1.0, 1.0, 1.0), stream.getvalue()), Material((0.0, 0.0, 1.0))),
    )
    session = Session({"walker": replace(character, mesh=own)})
    session.run(6)
    return session


def test_a_skin_is_shown_in_its_own_colors(tmp_path: Path) -> None:
    told = driven(dressed(), COLORS, tmp_path)
    assert told["errors"] == []
    assert {each.rpartition("/")[2] for each in told["requests"]} == {"report.html"}
    assert ("physical" in told["own"], "physical" in told["modes"]) == (False, True), "the legend names what is seen"
    shares = {}
    for name in ("own", "modes"):
        picture = np.asarray(Image.open(tmp_path / f"{name}.png").convert("RGB"), dtype=int)
        middle, most = np.median(picture, axis=2), picture.max(axis=2)
        shares[name] = [float(((picture[..., k] == most) & (most - middle > 60)).mean()) for k in range(3)]
    red, green, blue = shares["own"]
    assert green > 0.005, "the image, its first row at the top"
    assert blue > 0.005, "the color of a material without image"
    assert red < 0.001
    assert shares["modes"][1] < 0.001
