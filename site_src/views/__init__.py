"""Pages as data: what each template may see, and how it is made from reports. Nothing here computes."""

from __future__ import annotations

from site_src.views.pages import Site

__all__ = ["Site"]
