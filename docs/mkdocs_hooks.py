"""Documents from outside docs/ that its pages link to, as pages of the documentation's site.

Does: add them, and point links at them; a link to a file that is no page becomes plain words.
Does not: change a document.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mkdocs.structure.files import File, Files

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.pages import Page

OUTSIDE: Final = {
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "CHANGELOG.md": "changelog.md",
    "content/pages/tutorial.md": "tutorial.md",
}
"""Place in the repository -> place in the documentation."""

_LINK: Final = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)\s#:]+)(#[^)\s]*)?\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the documents from outside."""
    root = Path(config.config_file_path).parent
    for place, page in OUTSIDE.items():
        files.append(File.generated(config, page, abs_src_path=str(root / place)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Point links of a document, which are relative to its place in the repository, into the site."""
    here = {made: place for place, made in OUTSIDE.items()}.get(
        page.file.src_uri, f"docs/{page.file.src_uri}"
    )

    def pointed(link: re.Match[str]) -> str:
        words, target, anchor = link[1], link[2], link[3] or ""
        there = posixpath.normpath(posixpath.join(posixpath.dirname(here), target))
        made = OUTSIDE.get(there, there.removeprefix("docs/"))
        if made == "decisions":
            made = "decisions/README.md"
        if there not in OUTSIDE and (not there.startswith("docs/") or files.get_file_from_path(made) is None):
            return words
        return f"[{words}]({posixpath.relpath(made, posixpath.dirname(page.file.src_uri) or '.')}{anchor})"

    return _LINK.sub(pointed, markdown)
