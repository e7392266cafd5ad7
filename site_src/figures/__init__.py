"""Figures: each kind a module that lays out a shape of the core, wide and narrow."""
