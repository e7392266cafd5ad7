"""``{contract}``: the citation of an instrument."""

from __future__ import annotations

from metrics_core.errors import ConfigError
from metrics_core.estimate import ContractRef
from metrics_core.text import visible
from site_src.parts import Line
from site_src.provenance import contract_name
from site_src.references import nearest
from site_src.views.contracts import digest_span
from site_src.views.parts import line
from site_src.views.site_map import SiteMap
from site_src.writing.declared import Role, Use, cited
from site_src.writing.scene import Scene


def _example(site: SiteMap) -> str:
    return next((_written(ref) for refs in site.contracts.values() for ref in refs), "")


def _written(ref: ContractRef) -> str:
    return f"{ref.id} v{ref.version}"


def _make(use: Use, scene: Scene) -> Line:
    name, _, version = use.argument.strip().partition(" ")
    refs = scene.site.contracts.get(name)
    if refs is None:
        raise ConfigError(
            f"no contract {visible(name)!r}", where=use.where, hint=nearest(name, scene.site.contracts)
        )
    wanted = version.strip().removeprefix("v")
    found = [ref for ref in refs if wanted in ("", ref.version)]
    if not found:
        raise ConfigError(
            f"no version {visible(version.strip())!r} of {visible(name)}",
            where=use.where,
            hint=nearest(version.strip(), (f"v{ref.version}" for ref in refs)),
        )
    if len(found) > 1:
        told = ", ".join(f"v{ref.version} {ref.digest[:15]}" for ref in found)
        raise ConfigError(
            f"{len(found)} contracts are called {visible(use.argument.strip())}: {told}",
            where=use.where,
            hint="name one version; one whose digest changed under its version cannot be cited",
        )
    ref = found[0]
    return line(
        f"{contract_name(ref)} ", digest_span(ref.digest, "contract", scene.context.links.contract(ref))
    )


ROLE = Role(
    name="contract",
    does="Cites an instrument",
    more=": its id and version, and its digest behind its hallmark, linked to its page.",
    form="id, or id vN",
    options=cited("id", "the contract", "vN", "its version"),
    example=_example,
    make=_make,
)
