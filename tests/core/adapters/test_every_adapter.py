"""What holds of every adapter: it claims nothing that is common in a folder, and tells what it reads."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import metrics_core as mc
from metrics_core import api
from metrics_core.adapters import ADAPTERS
from metrics_core.execution import EngineChoice

COMMON = {
    "README.md": b"# Results\n\nRun `make`.\n",
    "package.json": b'{"name": "x", "version": "1.0.0", "results": {"a,b": 1}, "scripts": {"test": "x"}}',
    "tsconfig.json": b'{"compilerOptions": {"strict": true}, "include": ["src"]}',
    "package-lock.json": b'{"name": "x", "lockfileVersion": 3, "packages": {"": {"version": "1.0.0"}}}',
    ".eslintrc.json": b'{"root": true, "rules": {}}',
    "notebook.ipynb": b'{"cells": [], "metadata": {}, "nbformat": 4}',
    "events.jsonl": b'{"event": "start", "time": 1}\n{"event": "end", "time": 2}\n',
    "rows.jsonl": b'{"id": 1, "text": "a"}\n',
    "rows.csv": b"a,b\n1,2\n",
    "empty.json": b"",
    "empty.jsonl": b"",
    "null.json": b"null",
    "list.json": b"[]",
    "object.json": b"{}",
    "binary.json": bytes(range(256)),
}


@pytest.mark.parametrize("name", ADAPTERS)
def test_each_format_is_named_as_its_module(name: str) -> None:
    """Formats are listed by the names of modules, of which none is loaded for it."""
    assert ADAPTERS[name].format == name
    assert ADAPTERS[name].module.removeprefix("metrics_core.adapters.").partition(".")[0] == name.replace(
        "-", "_"
    )


@pytest.mark.parametrize("name", ADAPTERS)
def test_nothing_that_is_common_in_a_folder_is_claimed_or_nearly_so(name: str) -> None:
    for path, head in COMMON.items():
        assert not ADAPTERS[name].claims(path, head), path
        assert ADAPTERS[name].nearly(path, head) == "", path


@pytest.mark.parametrize("adapter", api.formats(), ids=lambda adapter: adapter.format)
def test_a_reader_is_told_an_example_and_what_is_read(adapter: api.Adapter) -> None:
    for text in (adapter.example, adapter.reads):
        assert text == text.strip()
        assert "\n" not in text
        assert not text.endswith(".")
    assert bool(adapter.example) == bool(adapter.reads)


def test_the_formats_that_tell_what_they_read() -> None:
    told = {adapter.format for adapter in api.formats() if adapter.reads}
    assert told >= {
        "agentdojo", "every-eval-ever", "harbor", "inspect", "langfuse", "lm-evaluation-harness",
        "otel-genai", "promptfoo", "swe-bench", "tau-bench", "tau2-bench", "terminal-bench",
    }  # fmt: skip


@pytest.mark.parametrize("name", ADAPTERS)
def test_it_can_be_sent_to_another_process(name: str) -> None:
    assert pickle.loads(pickle.dumps(ADAPTERS[name])) == ADAPTERS[name]


def test_a_table_comes_to_the_same_in_other_processes(tmp_path: Path) -> None:
    table = tmp_path / "results.csv"
    table.write_text("task,model,outcome\n" + "".join(f"t{at},alpha,{at % 2}\n" for at in range(20)))
    with EngineChoice("processes", 1).started(0) as engine:
        assert mc.compute(mc.load(table), workers=engine) == mc.compute(mc.load(table))
