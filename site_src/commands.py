"""What each command does: arguments in, exit code out, and the sentence at its end. The work is called here.

A command imports what it needs when it is run: `site_src.cli` names every command, and help must not wait
for numpy.
"""

from __future__ import annotations

import argparse
import datetime as dt
import os
import shlex
import textwrap
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import structs
from msgspec.structs import replace

import metrics_core as mc
from metrics_core.errors import AssayError, InputError
from metrics_core.experiments import Address, Place
from metrics_core.results import told_together
from metrics_core.text import many, visible
from site_src.console import Console, safe
from site_src.experiment_inputs import flags_of, on_disk, settings_of

if TYPE_CHECKING:
    from metrics_core.comparison import MeasuredExperiment
    from metrics_core.execution import EngineChoice
    from metrics_core.gate import Policy
    from metrics_core.pricing import PriceTable
    from metrics_core.redaction import Redactor
    from metrics_core.results import Report
    from site_src.build_cache import BuildCache, FinishedSite
    from site_src.pipeline import Built
    from site_src.project import ContentFile, Plan, SiteFile
    from site_src.verification import Verification

LISTED = 20
"""Mismatches of one sort that a terminal is shown; the rest are counted."""


def build(asked: argparse.Namespace, project: Path, console: Console) -> int:
    """Measure every experiment and write the site."""
    with _planned(asked, project, asked.output or project / "_site", strict=asked.strict) as plan:
        if asked.single_file is not None:
            return _build_one_file(plan, asked.single_file, console)
        cache = _cache_of(plan, asked)
        code = _build(plan, console, cache)
        if asked.explain:
            told = ["everything is made again: the cache was not asked"] if cache is None else cache.told
            console.message("\n".join(told))
        return code


def _cache_of(plan: Plan, asked: argparse.Namespace) -> BuildCache | None:
    """What earlier builds kept; None where it is not wanted, or where a gate asks for the whole work."""
    if asked.no_cache or plan.content is None or plan.strict or plan.fail_on_invalid:
        return None
    from site_src.build_cache import BuildCache

    return BuildCache(plan)


def _build_one_file(plan: Plan, to: Path, console: Console) -> int:
    """The site as one file, in place of a folder."""
    from site_src import pipeline
    from site_src.project import safe_write
    from site_src.publishing import leaks, prose_gates
    from site_src.single_file import single_file

    with console.working():
        sources, reports = pipeline.measure_each(
            plan, pipeline.load(plan, withholding=not plan.strict), console.progress
        )
        notes = pipeline.gate(plan, sources, reports)
        site = pipeline.model(sources, reports)
        notes += prose_gates.check_prose(site, strict=plan.strict)
        file, left = single_file(site, to.name)
        (file,) = leaks.screened([file], plan.redactor)
    for note in notes:
        console.warn(f"note: {note}")
    if left:
        console.warn(f"note: no room for {many(len(left), 'page')}: {', '.join(left[:LISTED])}")
    safe_write.replace_file(to, file.data)
    console.message(f"{to.name}: {len(file.data) / 1000:.0f} kB, one file")
    return 0


def publish(asked: argparse.Namespace, project: Path, console: Console) -> int:
    """A strict build into a folder of its own; then packed, or committed on a branch, where asked."""
    from site_src import delivery

    to = asked.to or ""
    address = Address.of(to) if "://" in to else None
    packed, committed = address is None and to.endswith(delivery.ARCHIVES), to == delivery.BRANCH
    given = Path(to) if to and not packed and not committed and address is None else None
    if given is not None and asked.output is not None:
        raise InputError("--to names a folder, and so does --output", where="publish")
    if address is not None:
        delivery.refuse_foreign(address)  # before a build that takes its time
    with _planned(asked, project, given or asked.output or project / "_public", strict=True) as plan:
        after = (
            f", then {address or to}"
            if packed or address
            else f", then a commit on the branch {to}"
            if committed
            else ""
        )
        kept = (
            "an edition in " + plan.content.name if plan.content else "no edition: there is no content folder"
        )
        console.message(f"writes {_as_given(plan.output)}{after}; records {kept}")
        code = _build(replace(plan, publishing=True, date=asked.date or _today(), why=asked.why), console)
        if packed:
            console.message(f"packed {to} {delivery.archive(plan.output, Path(to))}")
        elif address is not None:
            done = delivery.send(plan.output, address)
            counts = f"{many(done.sent, 'file')}, {done.there} there already, {done.removed} removed"
            console.message(f"sent {address}: {counts}")
        elif committed:
            commit = delivery.branch(plan.output, project)
            console.message(f"committed {commit[:12]} on {to}; send it: git push origin {to}")
    return code


def _build(plan: Plan, console: Console, cache: BuildCache | None = None) -> int:
    began = time.monotonic()
    with console.working():
        edition = None
        finished = cache.standing() if cache is not None else None
        if finished is None:
            from site_src import pipeline  # a site that stands is told without what makes pages

            built = pipeline.build(
                plan,
                console.progress,
                lambda: console.message("another build of this site is under way: waiting"),
                compute=None if cache is None else cache.compute,
                keeper=None if cache is None else cache.keeper,
            )
            finished = _finished(built, plan)
            if cache is not None and built.repeatable:
                cache.keep(finished)
            edition = built.edition
    for note in finished.notes:
        console.warn(f"note: {note}")
    if edition is not None and plan.content is not None:
        record = f"{plan.content.name}/{edition.path}"
        console.message(f"recorded {record}: keep it, since the next edition is compared with it")
        console.message(f"commit it: git add {record}")
    elif plan.publishing and plan.content is not None:
        why = ", and the reason given was not kept" if plan.why else ""
        console.message(f"the same as the last edition: no other was recorded{why}")
    for line in finished.findings:
        console.message(line)
    console.message(_timed(finished.counts, time.monotonic() - began, finished.manifest))
    console.message(f"open {_as_given(plan.output) / 'index.html'}")
    return 0


def _finished(built: Built, plan: Plan) -> FinishedSite:
    from metrics_core.experiments import printable
    from site_src.build_cache import FinishedSite

    return FinishedSite(
        manifest=built.manifest.digest,
        notes=built.notes,
        findings=tuple(of_reading(built.reports)),
        counts=_counts(built, printable(plan.output.name)),
    )


def of_reading(reports: Sequence[Report]) -> Iterator[str]:
    """What was found of whole files, such as how the columns of a table were read; the first of them.

    Where there are several experiments, each line names its own. A finding of one line of a file stands on
    its experiment's page alone.
    """
    found = [
        f"{visible(r.experiment)}: {line}" if len(reports) > 1 else line
        for r in reports
        for line in told_together(p for p in r.findings if p.line is None and not p.field)
    ]
    yield from (f"finding: {line}" for line in found[:LISTED])
    if len(found) > LISTED:
        yield f"and {many(len(found) - LISTED, 'more finding')}, on the pages of the experiments"


def _as_given(output: Path) -> Path:
    """A folder from here, where it lies below."""
    here = Path.cwd()
    return output.relative_to(here) if output.is_relative_to(here) else output


def of_build(built: Built, output: str, seconds: float) -> str:
    """One sentence: pages, figures, records, invalid, withheld, time, and the site's digest."""
    return _timed(_counts(built, output), seconds, built.manifest.digest)


def _timed(counts: str, seconds: float, manifest: str) -> str:
    return f"{counts}, {seconds:.1f} s\nmanifest {manifest}"


def _counts(built: Built, output: str) -> str:
    paths = [path for path, _, _ in built.manifest.files]
    pages = sum(path.endswith(".html") for path in paths)
    figures = sum(path.startswith("data/figures/") and path.endswith(".csv") for path in paths)
    withheld = sum(e.withheld is not None for r in built.reports for e in r.estimates)
    experiments, records = many(len(built.reports), "experiment"), sum(r.records for r in built.reports)
    return (
        f"{output}: {many(pages, 'page')}, {many(figures, 'figure')}, {experiments}, "
        f"{many(records, 'record')}, "
        f"{sum(r.invalid for r in built.reports)} invalid, "
        f"{many(withheld, 'estimate')} withheld"
    )


def compute(asked: argparse.Namespace, project: Path, console: Console) -> int:
    """Print the report of one experiment."""
    from site_src.project import told_of
    from site_src.publishing import gates

    with on_disk([asked.experiment]) as (path,), told_of(path):
        experiment = mc.load(path, redactor=_redactor(), settings=settings_of(asked))
        with _engine(asked).started(experiment.size) as engine:
            report = mc.compute(experiment, _prices(asked, project), family=asked.family, workers=engine)
    gates.refuse_unusable(report)
    if asked.json:
        from site_src.project import report_file

        console.record(_screened(report_file(report).decode()))
    else:
        from site_src.report_text import report_text

        console.show(report_text(report, console.width, experiment.description))
    gates.check_report(report, strict=asked.strict)
    return 0


def compare(asked: argparse.Namespace, project: Path, console: Console) -> int:
    """Two readable things, or two arms of one, beside each other."""
    from metrics_core.comparison import REP, comparing
    from site_src.comparing import comparing_markdown, comparing_text, html_file

    given = [asked.base] if asked.candidate is None else [asked.base, asked.candidate]
    with _measured(asked, given, (REP,)) as (base, candidate):
        found = comparing(base, candidate, asked.metric, a=asked.a, b=asked.b)
        if asked.markdown is not None:
            asked.markdown.write_text(_screened(comparing_markdown(found)), "utf-8")
        if asked.html is not None:
            asked.html.write_text(_screened(html_file(found)), "utf-8")
        if asked.json:
            from site_src.project import pretty

            console.record(_screened(pretty(found.to_json()).decode()))
        else:
            console.show(_screened(comparing_text(found, console.width)))
    return 0


def gate(asked: argparse.Namespace, project: Path, console: Console) -> int:
    """Hold a candidate against a baseline by a policy; or try the gate on the baseline alone."""
    from metrics_core.comparison import comparing
    from metrics_core.gate import PLAIN, held_against, policy_bytes, read_policy
    from site_src.gating import gate_badge, gate_junit, gate_markdown, gate_text
    from site_src.project import pretty

    policy, stated = PLAIN, None
    if asked.policy is not None:
        policy, stated = read_policy(policy_bytes(asked.policy), asked.policy.name)
    if asked.metric:
        policy = structs.replace(policy, metric=asked.metric)
    if asked.self_test is not None:
        return _self_test(asked, policy, console)
    if asked.candidate is None:
        raise InputError(
            "expected --candidate PATH, or --self-test",
            where="gate",
            hint="for two arms of one thing, give its path to both, with --a and --b",
        )
    slices = (policy.slices,) if policy.slices else ()
    with _measured(asked, [asked.baseline, asked.candidate], slices) as (base, candidate):
        found = held_against(comparing(base, candidate, policy.metric, a=asked.a, b=asked.b), policy, stated)
        comment = _screened(gate_markdown(found, _again(asked)))
        if asked.markdown is not None:
            asked.markdown.write_text(comment, "utf-8")
        if asked.junit is not None:
            asked.junit.write_text(_screened(gate_junit(found)), "utf-8")
        if asked.badge is not None:
            asked.badge.write_text(_screened(gate_badge(found)), "utf-8")
        if summary := os.environ.get("GITHUB_STEP_SUMMARY"):
            with Path(summary).open("a", encoding="utf-8") as file:
                file.write(comment)
        if asked.json:
            console.record(_screened(pretty(found.to_json()).decode()))
        else:
            console.show(_screened(gate_text(found, console.width)))
    return found.exit_code


def _again(asked: argparse.Namespace) -> str:
    """The command that gives the same gate once more."""
    given = (
        (f"--{name}", str(getattr(asked, name) or ""))
        for name in ("baseline", "candidate", "policy", "metric", "a", "b")
    )
    return shlex.join(["assay", "gate", *(word for pair in given if pair[1] for word in pair)])


def _self_test(asked: argparse.Namespace, policy: Policy, console: Console) -> int:
    """How often the rules of a gate give a false alarm on a baseline that is split in two."""
    from metrics_core.gate import tried_on
    from site_src.gating import self_test_lines
    from site_src.project import pretty

    with _measured(asked, [asked.baseline]) as (base, _):
        found = tried_on(
            base, policy.metric, asked.a, policy.not_worse_by or 0.0, splits=max(1, asked.self_test)
        )
    if asked.json:
        console.record(_screened(pretty(found.to_json()).decode()))
    else:
        console.show(_screened("\n".join(map(safe, self_test_lines(found)))))
    return 0


def plan(asked: argparse.Namespace, project: Path, console: Console) -> int:
    """How many tasks and repetitions would show a difference."""
    from metrics_core.comparison import REP, both_arms, planned_from
    from site_src.comparing import plan_text
    from site_src.project import pretty

    with _measured(asked, [asked.path], (REP,)) as (side, _):
        estimates = both_arms(side, asked.metric, asked.a, asked.b)
        found = planned_from(side, estimates, asked.detect, asked.power)
    if asked.json:
        console.record(_screened(pretty(found.to_json()).decode()))
    else:
        console.show(_screened(plan_text(found, console.width)))
    return 0


@contextmanager
def _measured(
    asked: argparse.Namespace, given: Sequence[Place], slices: tuple[str, ...] = ()
) -> Iterator[tuple[MeasuredExperiment, MeasuredExperiment]]:
    """The baseline and the candidate, measured; of one path alone both are the same."""
    from metrics_core.comparison import names_apart
    from site_src.comparing import SideReading, sides

    reading = SideReading(redactor=_redactor(), settings=settings_of(asked), slices=slices)
    with on_disk(given) as paths:
        whole = [p.absolute().as_posix() if isinstance(p, Path) else str(p) for p in paths]
        names = names_apart((*whole, *whole)[:2])
        names = names if len(paths) == 2 else (paths[0].name.partition(".")[0] or paths[0].name,) * 2
        names = (_screened(names[0]), _screened(names[1]))  # before any of them is cut short
        with sides(paths, names[: len(paths)], reading) as found:
            yield found[0], found[-1]


def import_results(asked: argparse.Namespace, project: Path, console: Console) -> int:
    """Write outside results as a native experiment folder."""
    from metrics_core import api
    from site_src.project import safe_write

    with on_disk([asked.source]) as (source,):
        found = api.outside(source, asked.format, _redactor(), settings_of(asked))
        files = list(api.native(found))
    problems = [problem for file in files for problem in file.problems]
    if not any(file.records for file in files):
        first = next(told_together(problems), "it holds no records")
        raise InputError(f"nothing in it can be used: {first}", where=found.slug)
    safe_write.write_folder(files, asked.folder)
    for line in told_together((*problems, *(told for file in files for told in file.told))):
        console.warn(f"note: {line}")
    summary = f"{asked.folder.name}: {sum(file.records for file in files)} records of {found.title}"
    console.message(f"{summary}; problems: {sum(len(file.problems) for file in files)}")
    return 0


def formats(asked: argparse.Namespace, project: Path, console: Console) -> int:
    """List the outside formats that are read."""
    from metrics_core import api

    for at, adapter in enumerate(api.formats()):
        title = "" if adapter.title == adapter.format else f"  ({adapter.title})"
        told = {"example": adapter.example, "reads": adapter.reads, "makes": f"records of {adapter.family}"}
        lines = (
            textwrap.fill(
                f"{begin}: {text}", console.width or 100, initial_indent="  ", subsequent_indent="    ",
                break_long_words=False, break_on_hyphens=False,
            )
            for begin, text in told.items()
            if text
        )  # fmt: skip
        console.show("\n".join((*([""] if at else ()), f"{adapter.format}{title}", *lines)))
    return 0


def check(asked: argparse.Namespace, project: Path, console: Console) -> int:
    """Say all that a build would say and what would stop it, and write nothing."""
    from site_src import pipeline
    from site_src.project import each_made
    from site_src.publishing import prose_gates

    notes: list[str] = []
    stops: dict[str, AssayError] = {}
    reports: tuple[Report, ...] = ()

    def told(error: AssayError) -> None:
        stops.setdefault(str(error), error)

    def step(found: Callable[[], Iterable[str]]) -> None:
        try:
            notes.extend(found())
        except AssayError as error:
            told(error)

    with _planned(asked, project, project / "_site", strict=False) as plan, console.working():
        try:
            sources = pipeline.load(plan, withholding=True, told=told)
            sources, reports = pipeline.measure_each(plan, sources, console.progress, told)
            notes.extend(of_reading(reports))
            step(lambda: pipeline.gate(plan, sources, reports))
            if asked.strict and not stops:  # the notes say every gate; this says which stop a build
                step(lambda: pipeline.gate(replace(plan, strict=True), sources, reports) and ())
            sources = replace(sources, decisions=tuple(each_made(_readable, sources.decisions, told)))
            site = pipeline.model(sources, reports)
            step(lambda: _made(pipeline.pages(plan, site, console.progress, told)))
            step(lambda: prose_gates.check_prose(site, checking=True, strict=asked.strict))
        except AssayError as error:  # nothing that the rest could be looked at with
            told(error)
    for note in notes:
        console.result(note)
    for stop in stops.values():
        console.fail(failed(stop))
    console.message(f"checked {many(len(reports), 'experiment')}: {many(len(notes), 'note')}")
    codes = {stop.exit_code for stop in stops.values()}
    return next((code for code in (3, 1, 4) if code in codes), 0)


def _readable(decision: ContentFile) -> ContentFile:
    from site_src.decisions import read

    read(f"decisions/{decision[0]}", decision[1])
    return decision


def _made(files: Iterable[SiteFile]) -> tuple[str, ...]:
    """Have every file made, for the errors that it may meet; of itself it says nothing."""
    for _ in files:
        pass
    return ()


def failed(error: AssayError) -> str:
    """The line that says what stopped a command."""
    return f"{'refused' if error.exit_code >= 3 else 'error'}: {error}"


def verify(asked: argparse.Namespace, project: Path, console: Console) -> int:
    """Check a site against itself."""
    from site_src.project import pretty
    from site_src.signing import read_public_key, read_statement
    from site_src.verification import verify as verification

    key = None if asked.key is None else read_public_key(asked.key)
    earlier = None
    if asked.after is not None:
        earlier = read_statement(asked.after.read_bytes(), asked.after.name)
    found = verification.verify(
        asked.site, console.progress, key=key, earlier=earlier, run_contracts=asked.run_contracts
    )
    if asked.json:
        console.record(_screened(pretty(found.to_json()).decode()))
    else:
        console.show(of_verification(found))
    return found.exit_code


def of_verification(found: Verification) -> str:
    """The table of a verification: what was checked, how many, and the first mismatches of each sort."""
    lines, details = [], []
    for row in found.rows:
        states = [f"{len(row.faults)} faults"] if row.faults else []
        states += [f"{len(row.not_checked)} not checked"] if row.not_checked else []
        lines.append(f"  {row.checked:>7}  {row.what}: {', '.join(states) or 'holds'}")
        for found_so, each in (("", row.faults), ("not checked: ", row.not_checked)):
            details += [f"  {found_so}{one}" for one in each[:LISTED]]
            if len(each) > LISTED:
                details.append(f"  and {len(each) - LISTED} more of {row.what}; --json lists them all")
    told = [f"note: {each}" for each in found.told]
    return "\n".join(safe(line) for line in (*lines, *details, "", *found.verdict, *told))


def sign(asked: argparse.Namespace, project: Path, console: Console) -> int:
    """Write the statement of a site and its signature into it."""
    from site_src.publishing import SIGNATURE, STATEMENT
    from site_src.signing import sign_site

    key = sign_site(asked.site, asked.key)
    console.message(f"{asked.site.name}: wrote {STATEMENT} and {SIGNATURE}, signed by {key}")
    return 0


def lock(asked: argparse.Namespace, project: Path, console: Console) -> int:
    """Write the contracts in use into the ledger."""
    from site_src.verification import ledger_update

    with _planned(asked, project, asked.output or project / "_site", strict=False) as plan:
        for line in ledger_update.lock(plan, _today(), revise=asked.revise, package=asked.package):
            console.message(line)
    return 0


def new(asked: argparse.Namespace, project: Path, console: Console) -> int:
    """Write the start of a page, a decision, an experiment or a CI."""
    from site_src import pipeline
    from site_src.project import SiteConfig, SiteFile, listed, read, safe_write, scaffolds, site_config
    from site_src.references import Index

    content = asked.content or project / "content"
    if asked.thing != "decision" and (asked.register or asked.planned is not None):
        raise InputError("--register and --planned are of a decision", where=f"new {asked.thing}")
    if asked.planned is not None and asked.planned < 1:
        raise InputError(f"expected 1 or more, got {asked.planned}", where="--planned")
    if asked.thing == "ci":
        return _new_ci(asked.name, content, project, console)
    if not asked.name:
        raise InputError("expected a name", where=f"new {asked.thing}", hint="it is part of its address")
    index = None
    settings = content / "site.yaml"
    config = site_config.read(settings.read_bytes()) if settings.is_file() else SiteConfig()
    if asked.thing != "experiment" and listed(content, config):  # examples are of what there is
        plan = replace(_plan(asked, project, project / "_site", strict=False), content=content)
        index = Index(pipeline.measure(read(plan), console.progress))
    taken = [path.relative_to(content).as_posix() for path in content.rglob("*") if path.is_file()]
    files = scaffolds.scaffold(
        asked.thing,
        asked.name,
        taken=taken,
        today=_today(),
        index=index,
        family=asked.family,
        registered=asked.register or asked.planned is not None,
        planned=asked.planned,
    )
    files_made = [SiteFile(path, data) for path, data in files]
    safe_write.add_files(files_made, content)
    for file in files_made:
        console.result(f"{content.name}/{file.path}")
    return 0


def _new_ci(host: str, content: Path, project: Path, console: Console) -> int:
    """Write the workflows of a CI, and a policy where there is none."""
    from site_src.project import SiteConfig, ci_files, listed, safe_write, site_config

    settings = content / "site.yaml"
    config = site_config.read(settings.read_bytes()) if settings.is_file() else SiteConfig()
    below = [p for p in listed(content, config) if isinstance(p, Path) and p.is_relative_to(project)]
    made = ci_files(host, [path.relative_to(project).as_posix() for path in below])
    files = [file for file in made[:-1] if not (project / file.path).exists()]
    if len(files) < len(made) - 1:
        there = next(file.path for file in made if file not in files)
        raise InputError("is there already", where=there, hint="nothing is overwritten; name the other alone")
    files += [file for file in made[-1:] if not (project / file.path).exists()]
    safe_write.add_files(files, project)
    for file in files:
        console.result(file.path)
    console.message("next: assay lock; commit these files and the ledger. RUNS in them names what is judged")
    return 0


def doctor(asked: argparse.Namespace, project: Path, console: Console) -> int:
    """Say what this machine and this folder have of what the program needs."""
    from site_src.doctor import examined

    found = list(examined(project, asked.content or project / "content"))
    wide = max(len(each.what) for each in found)
    for each in found:
        console.show(safe(f"{each.health:7}  {each.what:{wide}}  {each.words}"))
    return int(any(each.health == "problem" for each in found))


def completion(asked: argparse.Namespace, project: Path, console: Console) -> int:
    """Print the script by which a shell completes the command line."""
    from site_src.completion import script

    console.result(script(asked.parser, asked.shell))
    return 0


def preview(asked: argparse.Namespace, project: Path, console: Console) -> int:
    """Serve the project on this machine, and show what is saved."""
    from site_src.preview import command

    with _planned(asked, project, project / "_site", strict=False) as plan:
        return command.preview(plan, asked.host, asked.port, console, browse=asked.open)


def _today() -> str:
    return dt.datetime.now(dt.UTC).date().isoformat()


@contextmanager
def _planned(asked: argparse.Namespace, project: Path, output: Path, *, strict: bool) -> Iterator[Plan]:
    """The plan of a command that takes experiments, standard input among them, for as long as it runs."""
    with on_disk(asked.experiments or ()) as experiments:
        yield replace(_plan(asked, project, output, strict=strict), experiments=experiments)


def _plan(asked: argparse.Namespace, project: Path, output: Path, *, strict: bool) -> Plan:
    from site_src.project import Plan

    experiments = tuple(getattr(asked, "experiments", None) or ())
    return Plan(
        content=asked.content or (None if experiments else project / "content"),
        experiments=experiments,
        output=output,
        strict=strict,
        fail_on_invalid=getattr(asked, "fail_on_invalid", False),
        package_ledger=asked.package_ledger,
        redactor=_redactor(),
        settings=settings_of(asked),
        flags=flags_of(asked),
        project=project,
        run_pages=not getattr(asked, "no_run_pages", False),
        engine=_engine(asked),
    )


def _engine(asked: argparse.Namespace) -> EngineChoice:
    """Who counts records; a command that has no such flags counts here where there is little to read."""
    from metrics_core.execution import EngineChoice

    if not hasattr(asked, "engine"):
        return EngineChoice()
    return EngineChoice(asked.engine, asked.workers, asked.scheduler)


def _screened(text: str) -> str:
    """A result without secrets and traces of this machine: a path that was asked for may hold both, and it
    is read in a comment or in the log of a job.
    """
    return _redactor().clean_text(text)[0]


def _redactor() -> Redactor:
    from metrics_core.redaction import Redactor
    from site_src.publishing import leaks

    return Redactor(builder=leaks.this_builder())


def _prices(asked: argparse.Namespace, project: Path) -> tuple[PriceTable, ...]:
    """The site's price tables, for an experiment that lies in its content folder."""
    content = asked.content or project / "content"
    asked_for = asked.experiment
    inside = not isinstance(asked_for, Address) and asked_for.resolve().is_relative_to(content.resolve())
    settings = content / "site.yaml"
    if not (asked.content or inside) or not settings.is_file():
        return ()
    from site_src.project import price_tables, site_config

    return tuple(t for t, _ in price_tables(content, site_config.read(settings.read_bytes())))
