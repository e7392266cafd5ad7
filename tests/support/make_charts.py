"""Write the charts that the package ships, made anew: ``make charts``."""

from __future__ import annotations

import json
from pathlib import Path

from site_src.drawing import chart, made_charts
from site_src.figures import KINDS

FILE = Path(made_charts.__file__).with_name(made_charts.FILE)


def made() -> bytes:
    """The file as these sources and versions make it, whatever is shipped."""
    every = chart._every_layer()
    layers, compiled = {}, {}
    for kind in sorted(KINDS):
        module = KINDS[kind].module
        if not hasattr(module, "LAYERS"):  # drawn without a chart
            continue
        names, specification = chart.specified(module.KIND, module.LAYERS, every)
        layers[module.KIND], compiled[module.KIND] = names, chart._compiled(specification)
    whole = {
        "made_from": made_charts.digest(),
        "every_layer": every,
        "layers": layers,
        "compiled": compiled,
        "in_words": {form: make() for form, make in chart.IN_WORDS.items()},
    }
    return (json.dumps(whole, ensure_ascii=False, separators=(",", ":")) + "\n").encode()


if __name__ == "__main__":
    FILE.write_bytes(made())
