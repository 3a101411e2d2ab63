"""Ask whether the locked dependencies have known vulnerabilities: `make audit`.

A vulnerability that is found fails. A service that cannot be asked, or does not know the packages, is told in one line and
does not: whether the registry answers is not up to the project, and a check that checked nothing must not look like one that
did.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

UNREACHABLE = ("Could not connect", "ConnectionError", "ServiceError", "Max retries", "timed out", "Connection refused")
"""What pip-audit says where its service does not answer."""


def judged(report: Mapping[str, Any] | None, errors: str) -> tuple[int, list[str]]:
    """Exit code and lines for what pip-audit reported (None where it did not) and what it said besides."""
    if report is None:
        said = ([line.strip() for line in errors.splitlines() if line.strip()] or ["pip-audit said nothing"])[-1]
        if any(sign in errors for sign in UNREACHABLE):
            return 0, [f"audit: nothing was checked: the vulnerability service does not answer ({said})"]
        return 1, [f"audit: pip-audit failed: {said}"]
    packages: Sequence[Mapping[str, Any]] = report["dependencies"]
    asked = [each for each in packages if "skip_reason" not in each]
    lines = [
        f"audit: {each['name']} {each['version']}: {hole['id']}, fixed in {', '.join(hole['fix_versions']) or 'no release yet'}"
        for each in asked
        for hole in each["vulns"]
    ]
    if lines:
        return 1, lines
    if not asked:
        return 0, [f"audit: nothing was checked: the vulnerability service knows none of the {len(packages)} packages"]
    return 0, [f"audit: no known vulnerability in {len(asked)} of {len(packages)} packages; the rest it does not know"]


def main(lock: Path) -> int:
    """Audit a lock file and say what came out."""
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "audit.json"
        command = [sys.executable, "-m", "pip_audit", "-r", str(lock), "--no-deps", "--disable-pip"]
        command += ["--progress-spinner", "off", "-f", "json", "-o", str(result)]
        done = subprocess.run(command, capture_output=True, text=True)
        report = json.loads(result.read_text()) if result.exists() and result.stat().st_size else None
    code, lines = judged(report, done.stderr)
    print("\n".join(lines))
    return code


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
