"""Report and comparison on a telephone, a tablet and a desk: nothing sticks out, words stay whole, keys and fingers work."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from poise.assets import clip_path
from poise.io import read_clip
from poise.motion.edit import trim
from poise.report.motion_comparison import compare_sides, make_side
from poise.report.page import write_comparison, write_report
from test_browser_report import BROWSERS, MODULES, changed, struck

pytestmark = pytest.mark.slow

WIDTHS = (360, 800, 1600)

SCRIPT = """
const { chromium } = require(process.argv[2] + '/playwright-core');
const [executablePath, folder] = process.argv.slice(3), told = {};
const settled = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
const inPage = () => {
  const wide = document.documentElement.clientWidth, name = (each) => each.id || each.className || each.tagName;
  const shown = [...document.querySelectorAll('body *')].filter((each) => each.getClientRects().length);
  const cut = (each) => ['hidden', 'auto', 'scroll'].includes(getComputedStyle(each).overflowX);
  const inside = (each) => each.parentElement !== null && (cut(each.parentElement) || inside(each.parentElement));
  const right = (each) => each.getBoundingClientRect().right;
  const outside = shown.filter((each) => !inside(each) && !each.closest('svg') && right(each) > wide + 1);
  // A word is broken where its cell is narrower than the word alone.
  const broken = shown.filter((each) => each.matches('th, td, button, label, h1, h2, figcaption')).flatMap((each) => {
    const range = document.createRange(), walk = document.createTreeWalker(each, NodeFilter.SHOW_TEXT), found = [];
    while (walk.nextNode()) {
      for (const word of walk.currentNode.data.matchAll(/[A-Za-z]{2,14}/g)) {
        range.setStart(walk.currentNode, word.index); range.setEnd(walk.currentNode, word.index + word[0].length);
        if (range.getClientRects().length > 1) found.push(word[0]);
      }
    }
    return found;
  });
  // Numbers stand under their heads; what is written on charts is as high as it can be read.
  const lefts = (row) => [...row.cells].slice(1).map((cell) => Math.round(cell.getBoundingClientRect().left));
  const tables = [...document.querySelectorAll('main table')].filter((table) => table.getClientRects().length);
  const uneven = tables.flatMap((table) => {
    const [head, ...rows] = [...table.rows].map(lefts);
    return rows.filter((row) => String(row) !== String(head));
  });
  const tops = new Set([...document.querySelectorAll('nav a')].map((each) => each.getBoundingClientRect().top));
  const small = Math.min(...[...document.querySelectorAll('svg text')].map((each) => each.getBoundingClientRect().height));
  const scroll = document.documentElement.scrollWidth;
  return { uneven, small, lines: tops.size, scroll, wide, outside: outside.map(name), broken };
};

async function fingers(page, canvas, ways) {
  const box = await canvas.boundingBox(), input = await page.context().newCDPSession(page);
  const at = (k) => ways.map(([x0, y0, x1, y1], id) => ({
    id, x: box.x + box.width * (x0 + k * (x1 - x0)), y: box.y + box.height * (y0 + k * (y1 - y0)) }));
  await input.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) });
  for (let k = 1; k <= 8; k++) await input.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(k / 8) });
  await input.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await settled(page);
}

(async () => {
  const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];
  const browser = await chromium.launch({ executablePath, args: flags });
  for (const kind of ['report', 'compare']) for (const width of WIDTHS) {
    const telephone = width < 600 ? { hasTouch: true, isMobile: true } : {};
    const page = await (await browser.newContext({ viewport: { width, height: 780 }, ...telephone })).newPage();
    const here = (told[`${kind}-${width}`] = { errors: [] });
    page.on('pageerror', (error) => here.errors.push(error.message));
    await page.goto(`file://${folder}/${kind}.html`);
    await page.waitForFunction(() => document.documentElement.dataset.ready, null, { timeout: 60000 });
    await settled(page);
    Object.assign(here, await page.evaluate(inPage));
    await page.screenshot({ path: `${folder}/${kind}-${width}.png`, fullPage: true });
    const canvas = page.locator('#canvas');
    const tags = async () => Promise.all((await page.locator('.tag').all()).map((tag) => tag.boundingBox()));
    const place = () => page.evaluate(() => [document.activeElement.id, document.documentElement.scrollLeft]);
    if (width > 600) {
      here.stops = [];
      for (let k = 0; k < 30; k++) { await page.keyboard.press('Tab'); here.stops.push((await place())[0]); }
      continue;
    }
    await page.locator('#follow').uncheck();
    await canvas.evaluate((each) => each.scrollIntoView({ block: 'center', behavior: 'instant' }));
    await settled(page);
    const picture = async (name) => {
      here[name] = await tags(); await canvas.screenshot({ path: `${folder}/${kind}-${name}.png` });
    };
    await picture('still');
    await fingers(page, canvas, [[0.5, 0.4, 0.5, 0.37], [0.5, 0.6, 0.5, 0.63]]); await picture('pinched');
    await fingers(page, canvas, [[0.4, 0.4, 0.46, 0.46], [0.6, 0.4, 0.66, 0.46]]); await picture('panned');
    await fingers(page, canvas, [[0.3, 0.5, 0.7, 0.5]]); await picture('turned');
    here.zoom = await page.evaluate(() => visualViewport.scale);
  }
  await browser.close();
  console.log(JSON.stringify(told));
})().catch((error) => { console.error(error); process.exit(1); });
"""


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Path]:
    """What the browser told of each page at each width, and the folder of its pictures."""
    node, browser = shutil.which("node"), next(filter(None, map(shutil.which, BROWSERS)), None)
    if node is None or browser is None or not (MODULES / "playwright-core").is_dir():
        pytest.skip(f"needs node, Chromium and playwright-core in {MODULES}; node: {node}, Chromium: {browser}")
    folder = Path(os.environ.get("POISE_SCREENSHOTS", tmp_path_factory.mktemp("sizes")))
    write_report(folder / "report.html", struck(), title="a walk", notes=["one note"])
    walk = read_clip(clip_path("walk"))
    first, second = make_side("whole", walk), make_side("short", trim(walk, 0, 16))
    write_comparison(folder / "compare.html", first, second, compare_sides(first, second))
    (folder / "drive.cjs").write_text(SCRIPT.replace("WIDTHS", str(list(WIDTHS))), encoding="utf-8")
    command = [node, str(folder / "drive.cjs"), str(MODULES), browser, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), folder


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("kind", ["report", "compare"])
def test_nothing_sticks_out_and_words_stay_whole(shown: tuple[dict[str, Any], Path], kind: str, width: int) -> None:
    told = shown[0][f"{kind}-{width}"]
    assert told["errors"] == []
    assert told["scroll"] <= told["wide"] == width
    assert told["outside"] == []
    assert told["broken"] == []
    assert told["uneven"] == []
    assert told["small"] > 9
    assert told["lines"] == 1, "the ways to the parts of the page stand in one line"


@pytest.mark.parametrize("width", WIDTHS[1:])
@pytest.mark.parametrize("kind", ["report", "compare"])
def test_keys_reach_the_replay_and_its_controls(shown: tuple[dict[str, Any], Path], kind: str, width: int) -> None:
    assert {"canvas", "play", "speed", "follow"} <= set(shown[0][f"{kind}-{width}"]["stops"])


@pytest.mark.parametrize("kind", ["report", "compare"])
def test_fingers_move_the_picture_and_not_the_page(shown: tuple[dict[str, Any], Path], kind: str) -> None:
    told, folder = shown
    assert told[f"{kind}-360"]["zoom"] == 1
    for before, after in (("still", "pinched"), ("pinched", "panned"), ("panned", "turned")):
        assert changed(folder, f"{kind}-{before}", f"{kind}-{after}") > 0.005


def test_two_fingers_come_closer_and_move_and_one_turns(shown: tuple[dict[str, Any], Path]) -> None:
    """By where the names of both stand in the picture: they part, go along, and stay as far apart as before."""
    told = shown[0]["compare-360"]
    still, pinched, panned = (
        np.array([[tag["x"] + 0.5 * tag["width"], tag["y"] + tag["height"]] for tag in told[name]])
        for name in ("still", "pinched", "panned")
    )
    apart = [np.linalg.norm(each[1] - each[0]) for each in (still, pinched, panned)]
    assert apart[1] > 1.15 * apart[0]
    assert apart[2] == pytest.approx(apart[1], rel=0.15)
    assert (panned - pinched).min() > 10
