"""The command line: what can be asked for, in which words, and what each exit code means."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import metrics_core as mc
from metrics_core.errors import AssayError
from metrics_core.execution import ENGINES
from metrics_core.registry import DEFAULT_FAMILY
from metrics_core.suggestions import nearest
from metrics_core.text import visible
from site_src import commands, experiment_inputs, interruption
from site_src.completion import SHELLS
from site_src.console import Console
from site_src.installed import VERSION

if TYPE_CHECKING:
    from metrics_core.contracts import Lockfile

Run = Callable[[argparse.Namespace, Path, Console], int]
"""A command: what was asked for, the project's folder, and where to print; it returns the exit code."""

DESCRIPTION = """\
Assay reads experiment folders as evaluation harnesses leave them, measures them under
signed contracts, and writes a static site in which no number stands without its instrument.
"""

EXITS = """\
exit codes
  0  done; numbers whose control failed or is missing were withheld or marked, and reported
  1  the input is wrong: a setting, a folder, a page; or verify found a mismatch
  2  the command line is wrong
  3  an instrument failed (fixture, ledger); under --strict and publish, a gate held it back
  4  under --strict and publish, another problem, such as an invalid record
  5  verify: all that was checked holds, and not everything was checked; gate: FAIL
  6  gate: CANNOT TELL
  7  gate: UNHEALTHY
Whatever is not 0 leaves the earlier site untouched.
"""


START = """\
There is no content/ folder here, so there is nothing to build yet. What to do first:

  assay compute PATH                 the numbers of a file or a folder of logs, in this terminal
  assay build --experiments PATH     a site of it, without a folder of your own
  assay new experiment my-runs       begin content/ with an experiment; then put its records there
  assay preview                      see it, and every save, in a browser

PATH is what a harness left (assay formats lists them), or a table of runs (CSV, JSON lines, Parquet).
assay --help lists every command.
"""

GATE_EXITS = """\
exit codes
  0  PASS: every rule is kept
  1  the input or the policy is wrong
  2  the command line is wrong
  3  an instrument failed (fixture, ledger)
  5  FAIL: a rule is broken (of verify, 5 says that not everything was checked)
  6  CANNOT TELL: no rule is broken, and one or more are not told; no pass
  7  UNHEALTHY: nothing that was found is to be believed
UNHEALTHY wins over FAIL, FAIL over CANNOT TELL.
"""


def main(
    argv: Sequence[str] | None = None, *, project: Path | None = None, package_ledger: Lockfile | None = None
) -> int:
    """Run a command; ``build`` when none is named.

    Args:
        argv: Words of the command line, without the program's name.
        package_ledger: In place of the ledger that the package ships, for whoever calls this in a process of
            its own; no word of the command line sets it.
        project: Folder that ``content/`` and ``_site/`` stand in; the working directory by default.

    Returns:
        The exit code.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    if not words or (words[0].startswith("-") and words[0] not in ("-h", "--help", "--version")):
        words.insert(0, "build")
    found = project or Path.cwd()
    if words == ["build"] and not (found / "content").exists():
        print(START, file=sys.stderr)
        return 1
    try:
        asked = parser().parse_args(words)
    except SystemExit as stop:
        return int(stop.code or 0)
    console = Console(quiet=asked.quiet)
    if sys.flags.optimize > 1:
        console.fail(
            "error: python -OO takes away the docstrings that pages are made of (run it without -OO)"
        )
        return 2
    run: Run = asked.run
    asked.package_ledger = package_ledger
    try:
        with interruption.raised():
            return run(asked, found, console)
    except AssayError as error:
        console.fail(commands.failed(error))
        return error.exit_code
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    except OSError as error:  # a disk or a path that refuses where nothing more useful can be said of it
        where = os.fsdecode(error.filename or asked.command)
        console.fail(f"error: {where}: {error.strerror or error}")
        return 1
    except interruption.Stopped as stopped:
        console.fail("stopped; the earlier site was left as it was")
        return stopped.exit_code


class _Words(argparse.ArgumentParser):
    """A parser that answers a word which is no command with the nearest one, or with what takes a file."""

    def _check_value(self, action: argparse.Action, value: str) -> None:
        if action.dest != "command" or value in (action.choices or ()):
            super()._check_value(action, value)
        elif Path(value).exists():
            self.error(f"{visible(value)} is no command (assay compute {visible(value)} prints its report)")
        else:
            self.error(f"there is no command {visible(value)!r} ({nearest(value, action.choices or ())})")


def parser() -> argparse.ArgumentParser:
    """The words that are understood."""
    shape = argparse.RawDescriptionHelpFormatter
    top = _Words(prog="assay", description=DESCRIPTION, epilog=EXITS, formatter_class=shape)
    top.add_argument("--version", action="version", version=f"assay {VERSION}")
    sub = top.add_subparsers(dest="command", metavar="command", required=True)

    def command(name: str, run: Run, help_: str, more: str, exits: str = EXITS) -> argparse.ArgumentParser:
        sub_parser = sub.add_parser(name, help=help_, description=more, epilog=exits, formatter_class=shape)
        sub_parser.add_argument(
            "-q", "--quiet", action="store_true", help="say nothing but errors and results"
        )
        sub_parser.set_defaults(run=run)
        return sub_parser

    build = command(
        "build",
        commands.build,
        "make the site (the default)",
        "Measure every experiment and write the site.",
    )
    _inputs(build)
    _output(build)
    _run_pages(build)
    build.add_argument(
        "--single-file",
        type=Path,
        metavar="FILE",
        help="write one HTML file in place of a site: front page, pairs task by task, decisions; "
        "at most 300 kB",
    )
    build.add_argument(
        "--strict",
        action="store_true",
        help="stop where a control failed or is missing (3), or a record is invalid (4)",
    )
    _invalid(build)
    _engine(build)
    build.add_argument(
        "--no-cache",
        action="store_true",
        help="make everything again, and keep nothing in .assay-cache beside the content folder",
    )
    build.add_argument(
        "--explain",
        action="store_true",
        help="say what was made again and why; with --strict and --fail-on-invalid all of it always is",
    )

    compute = command(
        "compute",
        commands.compute,
        "print the report of one experiment; no site",
        "Measure one experiment, a folder or a single file, and print its report. A table (CSV, JSON, JSON "
        "lines, Parquet) is read by the names of its columns.",
    )
    compute.add_argument(
        "experiment",
        type=experiment_inputs.named_place,
        metavar="EXPERIMENT",
        help="folder of logs, as a harness left it; or one file; or the address of either, such as "
        "s3://bucket/july; or - for standard input",
    )
    experiment_inputs.add_reading(compute)
    compute.add_argument("--family", metavar="NAME", help=f"only this family: {_one_of(mc.family_names())}")
    _engine(compute)
    compute.add_argument("--json", action="store_true", help="the whole report as JSON (assay.report/1)")
    compute.add_argument(
        "--content", type=Path, metavar="DIR", help="take price tables from this content folder as well"
    )
    compute.add_argument(
        "--strict",
        action="store_true",
        help="exit with 3 where a control failed or is missing, 4 where a record is invalid",
    )

    compare = command(
        "compare",
        commands.compare,
        "two readable things, or two arms of one, beside each other",
        "Compare a candidate with a baseline: rates, the difference on the same tasks with its interval, "
        "both verdicts, tasks better and worse, errors, cost and time, and what makes them not "
        "comparable. Each is a folder, a file, standard input or a built site (SITE#EXPERIMENT where it has "
        "several); with one alone, --a and --b name two of its arms. Exit 0 whatever it finds.",
    )
    compare.add_argument("base", type=experiment_inputs.named_place, metavar="BASE", help="the baseline")
    compare.add_argument(
        "candidate",
        type=experiment_inputs.named_place,
        nargs="?",
        metavar="CANDIDATE",
        help="what is held against it",
    )
    _arms(compare)
    compare.add_argument("--json", action="store_true", help="the record as JSON (assay.compare/1)")
    compare.add_argument("--markdown", type=Path, metavar="FILE", help="write the same as Markdown")
    compare.add_argument("--html", type=Path, metavar="FILE", help="write one HTML file with the tasks")
    experiment_inputs.add_reading(compare)

    gate = command(
        "gate",
        commands.gate,
        "hold a candidate against a baseline by the rules of a policy",
        "Hold a candidate against a baseline: PASS, FAIL, CANNOT TELL (with what would settle it) or "
        "UNHEALTHY (errors beyond a bound, runs never recorded, a control that failed or is missing, another "
        "contract or pack, a stale baseline). The rules stand in a policy, gate.yaml; without one: "
        "not_worse_by: 0.05 and max_errors: 0.05. Where GITHUB_STEP_SUMMARY is set, the comment is added to "
        "that file as well.",
        GATE_EXITS,
    )
    gate.add_argument(
        "--baseline",
        type=experiment_inputs.named_place,
        required=True,
        metavar="PATH",
        help="as compare takes it",
    )
    gate.add_argument(
        "--candidate", type=experiment_inputs.named_place, metavar="PATH", help="as compare takes it"
    )
    gate.add_argument("--policy", type=Path, metavar="FILE", help="the rules, such as gate.yaml")
    _arms(gate)
    gate.add_argument("--json", action="store_true", help="the record as JSON (assay.gate/1)")
    gate.add_argument("--markdown", type=Path, metavar="FILE", help="write a comment of at most 40 lines")
    gate.add_argument("--junit", type=Path, metavar="FILE", help="write a report of tests, a rule each")
    gate.add_argument("--badge", type=Path, metavar="FILE", help="write an SVG: the verdict, and n/N")
    gate.add_argument(
        "--self-test",
        type=int,
        nargs="?",
        const=500,
        metavar="SPLITS",
        help="split the baseline's runs at random so often, and count the false alarms (exit 0)",
    )
    experiment_inputs.add_reading(gate)

    plan = command(
        "plan",
        commands.plan,
        "how many tasks and repetitions would show a difference, and what they cost",
        "Plan a comparison from runs that are there: tasks x repetitions that show a difference, what the "
        "tasks of now would show, cost and hours at their own prices and times, and what repetitions cannot "
        "help. With two arms the variance is that of their difference; with one the next candidate is taken "
        "to find the same tasks hard.",
    )
    plan.add_argument(
        "path", type=experiment_inputs.named_place, metavar="PATH", help="a folder, a file, - or a built site"
    )
    plan.add_argument(
        "--detect", type=float, required=True, metavar="D", help="the difference, such as 0.05 of a share"
    )
    plan.add_argument("--power", type=float, default=0.8, metavar="P", help="0.8 (the default), 0.9 or 0.95")
    _arms(plan)
    plan.add_argument("--json", action="store_true", help="the plan as JSON (assay.plan/1)")
    experiment_inputs.add_reading(plan)

    import_ = command(
        "import",
        commands.import_results,
        "outside results as a native experiment folder",
        "Read results of another harness through an adapter, and write the records as an experiment folder.",
    )
    import_.add_argument("format", metavar="FORMAT", help=", ".join(mc.format_names()))
    import_.add_argument(
        "source",
        type=experiment_inputs.named_place,
        metavar="SRC",
        help="folder of results, or one file, or -",
    )
    experiment_inputs.add_reading(import_)
    import_.add_argument("folder", type=Path, metavar="DEST", help="folder to write; it must not exist yet")

    command(
        "formats",
        commands.formats,
        "list the outside formats that are read",
        "List every outside format: its name, a file as its harness writes it, and what is read of it. A "
        "folder of such files is recognised by what the files hold, never by its name.",
    )

    check = command(
        "check",
        commands.check,
        "read and measure everything, write nothing",
        "Say what a build would say, and write nothing.",
    )
    _inputs(check)
    check.add_argument("--strict", action="store_true", help="exit as a strict build would")
    _invalid(check)

    publish = command(
        "publish",
        commands.publish,
        "a strict build into a folder ready for any host",
        "Build with every gate closed: a failed or missing control, a contract that no ledger knows, an "
        "invalid record, or a link that leads nowhere stop it. With --experiments and no content folder it "
        "publishes outside logs alone, and records no edition.",
    )
    _inputs(publish)
    _run_pages(publish)
    publish.add_argument(
        "--output", type=Path, metavar="DIR", help="folder of the publication (default: _public)"
    )

    publish.add_argument(
        "--to",
        metavar="DEST",
        help="a folder; an archive (.tar.gz, .tgz or .zip); gh-pages, a branch of the repository here; or "
        "the address of a folder, such as s3://bucket/site",
    )
    publish.add_argument(
        "--date", metavar="DATE", help="day of the edition, as YYYY-MM-DD (default: today, UTC)"
    )
    publish.add_argument(
        "--why", default="", metavar="WORDS", help="what this edition is for, in the publisher's own words"
    )

    preview = command(
        "preview",
        commands.preview,
        "serve the project on this machine; a save shows in the open page",
        "Serve the project on this machine only, and keep the open page up with every save: prose, "
        "decisions, templates, styles, price tables, and logs that a running evaluation appends to. Nothing "
        "is written.",
    )
    _inputs(preview)
    preview.add_argument(
        "--host", default="127.0.0.1", help="a name or address of this machine (default: 127.0.0.1)"
    )
    preview.add_argument("--port", type=int, default=8000, help="the next free one from here on; 0 for any")
    preview.add_argument("--open", action="store_true", help="open the address in a browser as well")

    new = command(
        "new",
        commands.new,
        "the start of a page, a decision, an experiment or a CI",
        "Write a correct start into the content folder; nothing that exists is overwritten. new ci writes "
        "workflows that build, gate, comment and publish, for GitHub and GitLab, and a policy gate.yaml.",
    )
    new.add_argument("thing", choices=("page", "decision", "experiment", "ci"), help="what it is")
    new.add_argument(
        "name",
        nargs="?",
        default="",
        metavar="NAME",
        help="lower-case letters, digits and hyphens: part of its address; "
        "of a ci: github or gitlab (default: both)",
    )
    new.add_argument(
        "--family",
        default="",
        metavar="NAME",
        help=f"which records an experiment will hold: {_one_of(mc.family_names())} "
        f"(default: {DEFAULT_FAMILY})",
    )
    new.add_argument(
        "--register",
        action="store_true",
        help="of a decision: it is written before its data; commit it, and its page says which came first",
    )
    new.add_argument(
        "--planned",
        type=int,
        metavar="N",
        help="attempts that are planned for each arm, for a decision that is registered",
    )
    new.add_argument("--content", type=Path, metavar="DIR", help="the content folder (default: content)")

    verify = command(
        "verify",
        commands.verify,
        "check a site against itself: digests, reports, numbers, signature",
        "Check every file against manifest.json, recompute every report from the published data with the "
        "published contracts, hold each number in the pages against its report, and make every page again. "
        "What was not checked is named, and is no pass (5). "
        "A published contract is somebody's code: it is run in a cage made by the operating system. Where "
        "there is none it is not run, and what was therefore not recomputed is named (5).",
    )
    verify.add_argument("site", type=Path, metavar="SITE", help="folder of a site, built here or downloaded")
    verify.add_argument("--json", action="store_true", help="the findings as JSON")
    verify.add_argument(
        "--run-contracts",
        action="store_true",
        help="run the site's contracts even where there is no cage: read them first",
    )
    verify.add_argument(
        "--key", type=Path, metavar="PUB", help="public key file (ssh-ed25519) that must have signed it"
    )
    verify.add_argument(
        "--after",
        type=Path,
        metavar="STATEMENT",
        help="statement.json of the same publisher that you kept: an older site in its place is told",
    )

    sign = command(
        "sign",
        commands.sign,
        "sign a built site with an SSH key",
        "Write statement.json, an in-toto statement over everything in the site, and its SSH signature "
        "statement.json.sig into the site. A signature says who vouches for these digests, and not that a "
        "number is right.",
    )
    sign.add_argument("site", type=Path, metavar="SITE", help="folder of a built site")
    sign.add_argument(
        "--key",
        type=Path,
        required=True,
        metavar="KEYFILE",
        help="private key file (Ed25519) without a passphrase; or the .pub file of a key in your SSH agent",
    )

    lock = command(
        "lock",
        commands.lock,
        "write the contracts in use into the ledger",
        "Add every contract in use to content/contracts.lock. A row once written is never changed.",
    )
    _inputs(lock)
    lock.add_argument(
        "--revise",
        metavar="WHY",
        help="a contract's source changed and its numbers did not: prove it against "
        "the last built site, then add the new digest with this reason",
    )
    lock.add_argument("--output", type=Path, metavar="DIR", help="the last built site (default: _site)")
    lock.add_argument(
        "--package", action="store_true", help="write the ledger of the package itself (for releases)"
    )

    doctor = command(
        "doctor",
        commands.doctor,
        "what this machine and this folder have, and what is missing",
        "Look at Python, the renderer, the cage for contracts, Git, settings, experiments, the ledger and "
        "earlier sites; say of each what it means. Exit 1 where a command would stop at one. Nothing is "
        "written.",
    )
    doctor.add_argument("--content", type=Path, metavar="DIR", help="the content folder (default: content)")

    completes = command(
        "completion",
        commands.completion,
        "a script by which a shell completes commands and flags",
        'Print the script. In bash: eval "$(assay completion bash)"; in zsh the same with zsh; in fish: '
        "assay completion fish | source. The line goes into the shell's own start-up file.",
    )
    completes.set_defaults(parser=top)
    completes.add_argument("shell", choices=SHELLS, help="which shell")
    return top


def _one_of(names: Sequence[str]) -> str:
    """Names of a registry as help texts list them.

    >>> _one_of(["attempts", "matrix", "traces"])
    'attempts, matrix or traces'
    """
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _inputs(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--experiments",
        type=experiment_inputs.named_place,
        nargs="+",
        metavar="PATH",
        help="these folders, files or addresses, or - for standard input, in place of those that site.yaml "
        "lists",
    )
    command.add_argument(
        "--content",
        type=Path,
        metavar="DIR",
        help="folder of site.yaml, pages, prices and the ledger (default: content; none with --experiments)",
    )
    experiment_inputs.add_reading(command)


def _engine(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--engine",
        choices=ENGINES,
        default="",
        help="who counts records and makes pages: this process, several, or a Dask cluster, which counts "
        "alone; the result is the same (default: several where there is much to read, or to write)",
    )
    command.add_argument(
        "--workers", type=int, default=0, metavar="N", help="how many processes (default: one a processor)"
    )
    command.add_argument(
        "--scheduler",
        default="",
        metavar="ADDR",
        help="of --engine dask: tcp://host:port, whose workers read the same paths (default: a cluster here)",
    )


def _arms(command: argparse.ArgumentParser) -> None:
    command.add_argument("--a", default="", metavar="ARM", help="arm of the baseline, where it has several")
    command.add_argument("--b", default="", metavar="ARM", help="arm of the candidate, where it has several")
    command.add_argument(
        "--metric",
        default="",
        metavar="NAME",
        help="a metric, a scorer, or METRIC key=value in quotation marks (default: what leads the reports)",
    )


def _output(command: argparse.ArgumentParser) -> None:
    command.add_argument("--output", type=Path, metavar="DIR", help="folder of the site (default: _site)")


def _run_pages(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--no-run-pages",
        action="store_true",
        help="leave out the pages of single runs and tasks; the records are published all the same",
    )


def _invalid(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--fail-on-invalid", action="store_true", help="stop at the first invalid record (1)"
    )
