"""What is given altered bytes: readers of records, settings, archives and sites, and Markdown with its roles.

Each says of any bytes what they are, or refuses them with an error of ours; whatever else it raises is found.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import re
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path

from msgspec import Struct

from metrics_core.adapters import ADAPTERS
from metrics_core.contracts import lockfile, recorded_controls
from metrics_core.contracts.pack import read_cards
from metrics_core.contracts.recorded_controls import LoggedSuite
from metrics_core.digest import canonical
from metrics_core.errors import AssayError
from metrics_core.experiments.price_tables import read_price_table
from metrics_core.experiments.settings import read_settings
from metrics_core.families import FAMILIES
from metrics_core.formats import decompression, jsonl, strict_yaml
from metrics_core.redaction import Redactor
from site_src.decisions import parse
from site_src.editions import store
from site_src.project import site_config
from site_src.publishing.published_site import PublishedSite, read_manifest
from site_src.signing import ssh_signature
from site_src.signing.statement import read_statement
from site_src.verification import page_numbers
from tests.core.adapters.test_damaged_files import GOOD, measured
from tests.support import small_content, written_pages
from tests.support.family_records import as_lines, of_fixtures

REPO = Path(__file__).resolve().parents[2]
EXAMPLE = REPO / "content"
CORPUS = Path(__file__).with_name("corpus")


class Target(Struct, frozen=True):
    """One reader.

    Attributes:
        name: Of the folder of its corpus, too.
        seeds: Inputs that it takes.
        run: Gives it bytes; raises `AssayError` where it refuses them, and anything else where it fails.
    """

    name: str
    seeds: Callable[[], Sequence[bytes]]
    run: Callable[[bytes], object]

    def every_seed(self) -> list[bytes]:
        """Its inputs, and those that found something."""
        return [*self.seeds(), *(data for _, data in corpus(self.name))]

    def try_on(self, data: bytes) -> None:
        """Give it bytes.

        Raises:
            Exception: It neither took nor refused them.
        """
        try:
            self.run(data)
        except AssayError as refused:
            if any(ord(c) < 32 and c != "\n" for c in str(refused)):
                raise AssertionError(f"a control character in {str(refused)!r}") from refused


def corpus(name: str) -> Iterator[tuple[str, bytes]]:
    """Inputs that found something in a target, by name."""
    for path in sorted(CORPUS.glob(f"{name}/*")):
        yield path.name, base64.b64decode(path.read_bytes())


def _files(pattern: str) -> Callable[[], Sequence[bytes]]:
    return cache(lambda: tuple(path.read_bytes() for path in sorted(EXAMPLE.glob(pattern))[:8]))


def _records(data: bytes) -> None:
    for family in FAMILIES.values():
        found = [*jsonl.read([data], family.record, file="a.jsonl")]
        assert sum(isinstance(item, jsonl.Row) for item in found) <= data.count(b"\n") + 1
    held = [line for _, block in jsonl.blocks([data]) for line in block if line.strip(b" \t\r")]
    assert [line.removesuffix(b"\r") for line in held] == [line for _, line in jsonl.lines([data])]


@cache
def _record_seeds() -> Sequence[bytes]:
    return tuple(as_lines(of_fixtures(family)[:4]) for family in FAMILIES.values())


def _packed(data: bytes) -> None:
    for name in ("a.jsonl.gz", "a.jsonl.zst", "a.parquet", "a.eval"):
        try:
            size = sum(map(len, decompression.unpack(io.BytesIO(data), name)))
        except AssayError:
            continue
        assert size < 2**27


@cache
def _packed_seeds() -> Sequence[bytes]:
    import pyarrow as pa
    import pyarrow.parquet as pq
    import zstandard

    runs = small_content.runs("alpha")
    text, table, archive = as_lines(runs), io.BytesIO(), io.BytesIO()
    flat = [{key: value for key, value in run.items() if key != "change_detail"} for run in runs]
    pq.write_table(pa.Table.from_pylist(flat), table)
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as parts:
        parts.writestr(
            "header.json", '{"version": 2, "status": "success", "eval": {"task": "t", "model": "m"}}'
        )
        parts.writestr("samples/1_epoch_1.json", '{"id": 1, "epoch": 1, "scores": {"s": {"value": "C"}}}')
    return gzip.compress(text, mtime=0), zstandard.compress(text), table.getvalue(), archive.getvalue()


def _adapter(name: str, path: str) -> Callable[[bytes], object]:
    def run(data: bytes) -> object:
        good = {p: json.dumps(value).encode() for p, value in GOOD[name].items()}
        with tempfile.TemporaryDirectory() as folder:
            return measured(Path(folder), name, {**good, path: data}, claimed=True)

    return run


PAGE = b"<p>1</p>"
MANIFEST = {
    "schema": "assay.manifest/1",
    "files": [{"path": "index.html", "size": len(PAGE), "sha256": hashlib.sha256(PAGE).hexdigest()}],
}


def _as_json(value: object) -> Sequence[bytes]:
    return (json.dumps(value).encode(),)


def _site(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "manifest.json").write_bytes(data)
        (place / "index.html").write_bytes(PAGE)
        site = PublishedSite(place, read_manifest(place))
        if not list(site.faults(lambda *_: None)):
            assert json.loads(data) == MANIFEST


def _prose(data: bytes) -> None:
    html = str(written_pages.written(data.decode("utf-8", "replace")))
    assert "<script" not in html.lower()
    assert not re.search(r"<[^>]*(?:javascript:|\son\w+=)", html, re.IGNORECASE), html


@cache
def _prose_seeds() -> Sequence[bytes]:
    from tests.site.authoring.test_prose import DIRECTIVES, ROLES, example

    made = [example(name, written_pages.site()) for name in (*ROLES, *DIRECTIVES)]
    pages = [path.read_text("utf-8").partition("\n---\n")[2][:1500] for path in sorted(EXAMPLE.glob("*.md"))]
    return tuple(text.encode() for text in (*filter(None, made), *pages))


def _redacted(data: bytes) -> None:
    redactor = Redactor()
    clean, _ = redactor.clean(data)
    assert redactor.clean(clean)[0] == clean


@cache
def _secret_seeds() -> Sequence[bytes]:
    from tests.support.secret_samples import planted

    return tuple(text.encode() for _, _, text, _ in planted(seed=21))[::9]


def _controls(data: bytes) -> None:
    recorded_controls.sanity(data, LoggedSuite())
    recorded_controls.attribution_selftest(data)


TARGETS = (
    Target("records", _record_seeds, _records),
    Target("packed", _packed_seeds, _packed),
    Target("experiment-yaml", _files("experiments/*/experiment.yaml"),
           lambda data: read_settings(strict_yaml.parse(data, "experiment.yaml"))),
    Target("site-yaml", _files("site.yaml"), site_config.read),
    Target("prices", _files("pricing/*"), lambda data: read_price_table(data, "pricing/p.yaml")),
    Target("cards", _files("experiments/*/eval_pack/tasks.json"),
           lambda data: read_cards([("tasks.json", data)])),
    Target("controls", _files("experiments/*/controls/*.json"), _controls),
    Target("ledger", _files("contracts.lock"), lockfile.read),
    Target("edition", _files("editions/*.json"), lambda data: store.read(data, "0001.json")),
    Target("decision", _files("decisions/*.md"), lambda data: parse.read("decisions/a.md", data)),
    Target("manifest", lambda: (canonical(MANIFEST) + b"\n",), _site),
    Target("statement", lambda: (b'{"_type":"https://in-toto.io/Statement/v1","subject":[]}\n',),
           read_statement),
    Target("signature", lambda: (ssh_signature.armored(b"k" * 32, b"s" * 64),), ssh_signature.read),
    Target("page", lambda: (b'<p>It did <a data-estimate="a/b.c?m=1">8/12 runs</a> <b>0.67</b></p>',),
           lambda data: [*page_numbers.shown(data.decode("utf-8", "replace"))]),
    Target("prose", _prose_seeds, _prose),
    Target("secrets", _secret_seeds, _redacted),
    *(
        Target(f"adapter-{name}-{number}", partial(_as_json, value), _adapter(name, path))
        for name in ADAPTERS
        for number, (path, value) in enumerate(GOOD[name].items())
    ),
)  # fmt: skip
"""All of them."""
