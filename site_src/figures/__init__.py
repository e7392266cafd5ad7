"""Figures: each kind a module that lays out a shape of the core, wide and narrow.

A kind has ``KIND`` (the value of ``data-figure``), ``LAYERS`` (the datasets of its chart) and ``draw``, which
gives a `site_src.figures.drawing.Drawing`; a module with these is enrolled in the tests by being here. A
figure is laid out twice on a `site_src.figures.sheet.Sheet`, its marks are drawn through one Vega-Altair
chart a kind (`site_src.figures.chart`), and `site_src.figures.svg` makes the markup fit for a page.
"""
