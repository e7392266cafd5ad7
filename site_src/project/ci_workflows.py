"""What a project's CI begins with: a workflow for GitHub, one for GitLab, and the policy that both gate by.

Does: fill the texts of `site_src/scaffolding/ci` with the runs that are judged and the version that is
installed. Does not: write, or know a host's address.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from metrics_core.errors import ConfigError
from metrics_core.suggestions import nearest
from site_src.installed import VERSION
from site_src.project.safe_write import SiteFile

CI_HOSTS: Final[Mapping[str, str]] = {
    "github": ".github/workflows/assay.yml",
    "gitlab": ".gitlab-ci.yml",
}
"""Who runs it -> where it looks for what to do."""

POLICY: Final = "gate.yaml"
EXAMPLE_RUNS: Final = "content/experiments/my-runs"
"""The runs that a workflow names where a project has none yet."""

_TEXTS: Final = Path(__file__).resolve().parents[1] / "scaffolding/ci"


def ci_files(host: str, runs: Sequence[str]) -> tuple[SiteFile, ...]:
    """The files of a CI, from the project's folder on; the policy is the last.

    Args:
        host: A name of CI_HOSTS; empty for all of them.
        runs: Paths of experiments, with ``/``; the last is judged, which is the newest of a series.

    Raises:
        ConfigError: There is no such host.

    >>> [file.path for file in ci_files("", ())]
    ['.github/workflows/assay.yml', '.gitlab-ci.yml', 'gate.yaml']
    >>> ci_files("gitlap", ())
    Traceback (most recent call last):
    ...
    metrics_core.errors.ConfigError: ci: no CI 'gitlap' (nearest: gitlab)
    """
    if host and host not in CI_HOSTS:
        raise ConfigError(f"no CI {host!r}", where="ci", hint=nearest(host, CI_HOSTS))
    judged = json.dumps(runs[-1] if runs else EXAMPLE_RUNS, ensure_ascii=False)
    made = []
    for name in [host] if host else CI_HOSTS:
        text = (_TEXTS / f"{name}.yml").read_text("utf-8")
        text = text.replace("@assay@", f"assay-report=={VERSION}").replace("@runs@", judged)
        made.append(SiteFile(CI_HOSTS[name], text.encode()))
    return (*made, SiteFile(POLICY, (_TEXTS / POLICY).read_bytes()))
