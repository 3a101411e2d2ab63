"""README.md taken apart into what can be true or false: its sentences and the rows of its tables."""

import re
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"
_END = re.compile(r"(?<=[.;:])\s+(?=[A-Z`\[*(])")


def statements() -> list[str]:
    """Sentences (or what a semicolon or colon ends) and rows, in order; commands and code are tested by themselves."""
    text = re.sub(r"```.*?```", "", README.read_text(encoding="utf-8"), flags=re.DOTALL)
    text = re.sub(r"^    .*$", "", text, flags=re.MULTILINE)
    found: list[str] = []
    for paragraph in map(str.strip, re.split(r"\n\s*\n", text)):
        if paragraph.startswith("|"):
            found += [row for row in paragraph.splitlines() if row.startswith("| `")]
        elif paragraph and not paragraph.startswith(("#", "![")):
            found += _sentences(" ".join(paragraph.split()))
    return found


def _sentences(paragraph: str) -> list[str]:
    """Sentences of a paragraph; what stands between backticks is not divided."""
    code: list[str] = re.findall(r"`[^`]*`", paragraph)
    hidden = re.sub(r"`[^`]*`", "`\0`", re.sub(r"^\*\*\d\. ", "**", paragraph))
    rest = iter(code)
    return [re.sub("`\0`", lambda _: next(rest), sentence) for sentence in _END.split(hidden)]
