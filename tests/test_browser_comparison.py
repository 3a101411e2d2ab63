"""Two motions in a real browser: both are drawn, named and moved by one clock; nothing leaves the page."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from poise.assets import clip_path
from poise.io import read_clip
from poise.motion.edit import trim
from poise.report.motion_comparison import compare_sides, make_side
from poise.report.page import write_comparison
from test_browser_report import BROWSERS, MODULES, changed

pytestmark = pytest.mark.slow

SCRIPT = """
const { chromium } = require(process.argv[2] + '/playwright-core');
const [executablePath, url, folder] = process.argv.slice(3);
const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync'];
const told = { requests: [], errors: [] };

(async () => {
  const browser = await chromium.launch({ executablePath, args: flags });
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' })).newPage();
  page.on('request', (request) => told.requests.push(request.url()));
  page.on('console', (message) => { if (message.type() === 'error') told.errors.push(message.text()); });
  page.on('pageerror', (error) => told.errors.push(error.message));
  await page.goto(url);
  await page.waitForFunction(() => document.documentElement.dataset.ready, null, { timeout: 60000 });
  const settled = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const places = async () => (await page.locator('.tag').all()).map((tag) => tag.boundingBox());
  const picture = async (name) => {
    await settled();
    await page.locator('#canvas').screenshot({ path: `${folder}/${name}.png` });
  };
  const scrub = (seconds) => page.locator('#scrub').evaluate((range, at) => {
    range.value = 1000 * at;
    range.dispatchEvent(new Event('input'));
  }, seconds);
  const tags = async () => { await settled(); return Promise.all(await places()); };
  told.ready = await page.evaluate(() => document.documentElement.dataset.ready);
  told.names = await page.locator('.tag').allTextContents();
  await page.locator('#follow').uncheck();
  await scrub(0); told.start = await tags(); await picture('start');
  await page.locator('[data-view=side]').click(); told.from = await tags(); await picture('from');
  await scrub(0.3); told.moved = await tags(); await picture('moved');
  await scrub(1.2); told.later = await tags(); await picture('later');
  await page.locator('#still').check(); told.still = await tags(); await picture('still');
  await scrub(0); await page.locator('#beside').uncheck(); told.together = await tags();
  const plot = page.locator('.plot svg').first(); await plot.scrollIntoViewIfNeeded();
  const at = await plot.boundingBox();
  await page.mouse.click(at.x + at.width * (52 + 576 / 2) / 640, at.y + 50); await settled();
  told.charted = parseFloat(await page.locator('#time').textContent());
  told.end = await page.evaluate(() => JSON.parse(document.getElementById('listing').textContent).end);
  await browser.close();
  console.log(JSON.stringify(told));
})().catch((error) => { console.error(error); process.exit(1); });
"""


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Path]:
    """What the browser told, and the folder of its pictures."""
    node, browser = shutil.which("node"), next(filter(None, map(shutil.which, BROWSERS)), None)
    if node is None or browser is None or not (MODULES / "playwright-core").is_dir():
        pytest.skip(f"needs node, Chromium and playwright-core in {MODULES}; node: {node}, Chromium: {browser}")
    folder = tmp_path_factory.mktemp("comparison")
    walk = read_clip(clip_path("walk"))
    first, second = make_side("whole", walk), make_side("short", trim(walk, 0, 16))
    write_comparison(folder / "compare.html", first, second, compare_sides(first, second))
    (folder / "drive.cjs").write_text(SCRIPT, encoding="utf-8")
    url = (folder / "compare.html").as_uri()
    command = [node, str(folder / "drive.cjs"), str(MODULES), browser, url, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), folder


def test_both_are_drawn_and_named(shown: tuple[dict[str, Any], Path]) -> None:
    told, folder = shown
    assert told["ready"] == "replay"
    assert told["names"] == ["whole", "short"]
    picture = np.asarray(Image.open(folder / "start.png").convert("RGB"), dtype=int)
    blue, orange = picture[..., 2] - picture[..., 0], picture[..., 0] - picture[..., 2]
    for color in (blue, orange):
        assert (color > 60).mean() > 0.003
    assert np.nonzero(blue > 60)[1].mean() < np.nonzero(orange > 60)[1].mean()


def test_one_clock_moves_both_and_the_shorter_holds_its_last_pose(shown: tuple[dict[str, Any], Path]) -> None:
    told, folder = shown
    assert changed(folder, "from", "moved") > 0.01

    def way(one: str, other: str, figure: int) -> float:
        a, b = told[one][figure], told[other][figure]
        return float(np.hypot(a["x"] - b["x"], a["y"] - b["y"]))

    assert min(way("from", "moved", 0), way("from", "moved", 1)) > 20.0
    # After 0.5 s, its last frame, the second goes on standing where it is; the first walks on.
    assert way("moved", "later", 0) > 1.5 * way("moved", "later", 1)
    assert way("from", "still", 0) < 0.2 * way("from", "later", 0)


def test_they_can_be_laid_over_one_another(shown: tuple[dict[str, Any], Path]) -> None:
    told, _ = shown
    middles = [tag["x"] + 0.5 * tag["width"] for tag in told["together"]]
    assert abs(middles[0] - middles[1]) < 3.0
    apart = [tag["x"] + 0.5 * tag["width"] for tag in told["start"]]
    assert apart[1] - apart[0] > 60.0


def test_charts_jump_and_nothing_leaves_the_page(shown: tuple[dict[str, Any], Path]) -> None:
    told, _ = shown
    assert told["charted"] == pytest.approx(0.5 * told["end"], abs=0.02)
    assert {each.rpartition("/")[2] for each in told["requests"] if not each.startswith("data:")} == {"compare.html"}
    assert all(each.startswith(("data:", "file:")) for each in told["requests"])
    assert told["errors"] == []
