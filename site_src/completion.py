"""Completion of the command line in a shell: a script that knows every command and its flags.

Does: write one for bash, zsh or fish from the parser itself. Does not: run the program at each key; paths are
the shell's own.
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterator, Mapping
from typing import Final

SHELLS: Final = ("bash", "zsh", "fish")

_BASH: Final = """\
_assay() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} command=${{COMP_WORDS[1]}} words=
    if [ "$COMP_CWORD" -eq 1 ]; then
        words={commands}
    else
        case "$command" in
{cases}
        esac
    fi
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -o bashdefault -F _assay assay
"""


def script(parser: argparse.ArgumentParser, shell: str) -> str:
    """What a shell reads to complete `assay`.

    Args:
        parser: Of the command line.
        shell: One of SHELLS.
    """
    commands = _commands(parser)
    if shell == "fish":
        return "\n".join(_fish(commands, _helps(parser))) + "\n"
    cases = "\n".join(
        f"            {name}) words={shlex.quote(' '.join((*_flags(sub), *_words(sub))))} ;;"
        for name, sub in commands.items()
    )
    bash = _BASH.format(commands=shlex.quote(" ".join(commands)), cases=cases)
    return bash if shell == "bash" else f"autoload -U +X bashcompinit && bashcompinit\n{bash}"


def _commands(parser: argparse.ArgumentParser) -> Mapping[str, argparse.ArgumentParser]:
    (found,) = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]  # noqa: SLF001
    choices: Mapping[str, argparse.ArgumentParser] = found.choices
    return choices


def _helps(parser: argparse.ArgumentParser) -> dict[str, str]:
    (found,) = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]  # noqa: SLF001
    return {choice.dest: choice.help or "" for choice in found._choices_actions}  # noqa: SLF001


def _flags(command: argparse.ArgumentParser) -> Iterator[str]:
    for action in command._actions:  # noqa: SLF001
        yield from (flag for flag in action.option_strings if flag.startswith("--"))


def _words(command: argparse.ArgumentParser) -> Iterator[str]:
    """Words that stand for themselves, such as the things that `new` makes."""
    for action in command._actions:  # noqa: SLF001
        if not action.option_strings:
            yield from map(str, action.choices or ())


def _fish(commands: Mapping[str, argparse.ArgumentParser], helps: Mapping[str, str]) -> Iterator[str]:
    for name, command in commands.items():
        about = shlex.quote(helps.get(name, ""))
        yield f"complete -c assay -n __fish_use_subcommand -a {name} -d {about}"
        within = shlex.quote(f"__fish_seen_subcommand_from {name}")
        for action in command._actions:  # noqa: SLF001
            told = shlex.quote((action.help or "").partition(";")[0].partition(" (")[0])
            for flag in action.option_strings:
                if flag.startswith("--"):
                    takes = "" if action.nargs == 0 else " -r"
                    yield f"complete -c assay -n {within} -l {flag[2:]}{takes} -d {told}"
        for word in _words(command):
            yield f"complete -c assay -n {within} -a {shlex.quote(word)}"
