"""Two readable things beside each other, for a terminal, a comment and one page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from site_src.comparing.inputs import SideReading, sides
    from site_src.comparing.one_page import html_file
    from site_src.comparing.plan_words import plan_text
    from site_src.comparing.written import comparing_markdown, comparing_text, escaped
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "SideReading",
    "comparing_markdown",
    "comparing_text",
    "escaped",
    "html_file",
    "plan_text",
    "sides",
]
