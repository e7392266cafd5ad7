"""The commands as a page of the documentation, made from the parser that reads them.

``python -m tests.support.command_reference > docs/commands.md`` writes it anew; a test holds it up to date.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator

from site_src.cli import EXITS, parser

HEAD = """\
# Commands

Every command with its arguments, made by `python -m tests.support.command_reference` from the parser that
reads them; a test holds it up to date. `assay COMMAND --help` says the same in a terminal, and `assay` alone
is `assay build`.

Every command but `completion` takes `-q` or `--quiet`: it then says nothing but errors and results.
"""


def reference() -> str:
    """The page: a section a command, a row an argument, and what the exit codes mean."""
    top = parser()
    (commands,) = [action for action in top._actions if isinstance(action, argparse._SubParsersAction)]
    return (
        "\n".join([HEAD, "## Exit codes", "", *_exit_codes(EXITS), "", *_sections(commands)]).rstrip() + "\n"
    )


def _sections(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> Iterator[str]:
    for name, command in commands.choices.items():
        yield f"## {name}"
        yield ""
        yield _escaped(command.description or "")
        yield ""
        rows = [row for action in command._actions if (row := _row(action))]
        if rows:
            yield from ("| argument | what it does |", "|---|---|", *rows, "")
        if command.epilog and command.epilog != EXITS:
            yield from (*_exit_codes(command.epilog), "")


def _row(action: argparse.Action) -> str:
    """What is the same for all commands has no row."""
    if action.dest in ("help", "quiet"):
        return ""
    value = action.metavar or ("" if action.nargs == 0 else "/".join(map(str, action.choices or ())))
    if action.option_strings:
        optional = f"[{value}]" if action.nargs == "?" else str(value)
        shown = f"{', '.join(action.option_strings)} {optional}".strip()
    else:
        shown = f"[{value}]" if action.nargs == "?" else str(value)
    needed = " Required." if action.option_strings and action.required else ""
    return f"| `{shown}` | {_sentence(action.help or '')}{needed} |"


def _sentence(words: str) -> str:
    return _escaped(words[:1].upper() + words[1:].rstrip(".")) + "."


def _exit_codes(epilog: str) -> Iterator[str]:
    """As a table; lines that are no code are a sentence below it."""
    codes = re.findall(r"^  (\d)  (.+)$", epilog, re.MULTILINE)
    yield from (
        "| exit code | meaning |",
        "|---|---|",
        *(f"| {code} | {_escaped(what)} |" for code, what in codes),
    )
    others = [line for line in epilog.splitlines()[1:] if line and not line.startswith("  ")]
    if others:
        yield from ("", _escaped(" ".join(others)))


def _escaped(words: str) -> str:
    return words.replace("%%", "%").replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")


if __name__ == "__main__":
    print(reference(), end="")
