"""What mkdocs fills in while it builds the site: the help of each command, as the command prints it."""

import os
import re
import subprocess
import sys
from typing import Any


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Replace `{{ help COMMAND }}` by what `poise COMMAND --help` prints."""
    return re.sub(r"\{\{ help ?(\w*) \}\}", lambda match: _help(match[1]), markdown)


def _help(command: str) -> str:
    words = [sys.executable, "-m", "poise", *([command] if command else []), "--help"]
    environment = {**os.environ, "COLUMNS": "100"}
    told = subprocess.run(words, capture_output=True, text=True, check=True, env=environment).stdout
    return f"```text\n{told.strip()}\n```"
