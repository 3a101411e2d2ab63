"""The report pages: self-contained HTML files with a replay."""

from poise.report.page.comparison import write_comparison
from poise.report.page.write import write_report

__all__ = ["write_comparison", "write_report"]
