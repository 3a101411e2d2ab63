"""The report page: one self-contained HTML file with a replay."""

from poise.report.page.write import write_report

__all__ = ["write_report"]
