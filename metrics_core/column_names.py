"""What people call the columns of a results table, and the role that each name has.

Names are the same without case, accents, spaces and punctuation; English, German, French and Spanish ones are
known. Does: know names, and which of them speak against a pass. Does not: look at values, or decide
between two columns of one role.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

TASK, ARM, REP, OUTCOME, ERROR = "task", "arm", "rep", "outcome", "error"
COST, INPUT, OUTPUT, LATENCY = "cost", "input_tokens", "output_tokens", "latency"
STAMP, SPLIT, CLUSTER = "stamp", "split", "cluster"
UNREAD = "unread"
"""No role: whoever names a column so says that it tells nothing of its row, whatever it is called."""

NAMES: dict[str, tuple[str, ...]] = {
    TASK: (
        "task", "case", "input", "item", "item_id", "id", "test", "test_id", "question", "question_id",
        "problem", "problem_idx", "problem_id", "instance_id", "instance", "scenario", "scenario_id",
        "sample_id", "sample", "task_id", "task_name", "case_id", "test_name", "test_case", "item_name",
        "example", "example_id", "aufgabe", "aufgaben", "aufgaben_id", "testfall", "fall", "frage", "tâche",
        "cas", "cas de test", "exercice", "tarea", "caso", "caso de prueba", "pregunta", "problema",
        "ejercicio",
    ),
    ARM: (
        "model", "arm", "agent", "target", "system", "llm", "variant", "engine", "model_name", "model_id",
        "agent_name", "agent_id", "arm_name", "system_name", "llm_name", "engine_name", "variant_name",
        "modell", "modellname", "variante", "modèle", "système", "modelo", "agente", "sistema",
    ),
    REP: (
        "rep", "run", "repeat", "epoch", "trial", "attempt", "seed", "repetition", "run_no", "run_number",
        "wiederholung", "lauf", "durchlauf", "versuch", "répétition", "essai", "exécution", "tentative",
        "repetición", "intento", "ejecución",
    ),
    OUTCOME: (
        "passed", "pass", "success", "correct", "resolved", "solved", "ok", "is_correct", "reward", "score",
        "accuracy", "value", "grade", "outcome", "is_success", "is_resolved", "is_solved", "is_pass",
        "bestanden", "ergebnis", "erfolg", "erfolgreich", "korrekt", "richtig", "gelöst", "punkte",
        "punktzahl",
        "bewertung", "réussi", "réussite", "résultat", "succès", "résolu", "aprobado", "superado",
        "resultado",
        "éxito", "correcto", "acierto", "resuelto", "puntos", "puntuación", "puntaje",
    ),
    ERROR: (
        "error", "infra_error", "exception", "status", "error_message", "run_error", "fehler",
        "fehlermeldung",
        "erreur", "mensaje de error",
    ),
    COST: (
        "cost", "cost_usd", "total_cost", "total_cost_usd", "usd", "price_usd", "agent_cost", "kosten",
        "kosten_usd", "coût", "coût_usd", "coste", "costo", "coste_usd", "costo_usd",
    ),
    INPUT: ("input_tokens", "prompt_tokens", "tokens_in", "in_tokens", "n_input_tokens", "tokens_input"),
    OUTPUT: (
        "output_tokens", "completion_tokens", "tokens_out", "out_tokens", "n_output_tokens", "tokens_output",
    ),
    LATENCY: (
        "latency", "duration", "elapsed", "wall", "wall_time", "time", "runtime", "run_time", "dauer",
        "laufzeit",
        "latenz", "zeit", "durée", "temps", "latence", "duración", "tiempo", "latencia",
    ),
    STAMP: (
        "stamp", "timestamp", "created_at", "created", "started_at", "started", "start", "start_time",
        "start_date", "begin", "began", "begin_time", "date", "datetime", "run_date", "run_at", "executed_at",
        "evaluated_at", "zeitstempel", "datum", "beginn", "gestartet", "startzeit", "startdatum",
        "horodatage", "début", "date de début", "fecha", "inicio", "fecha de inicio",
    ),
    SPLIT: ("split",),
    CLUSTER: ("repo", "category", "suite", "domain", "subject", "difficulty", "cluster", "repository",
              "topic", "tags", "kategorie", "catégorie", "categoría"),
}  # fmt: skip
"""Role -> names of columns that have it, in the order in which they are told."""

IN_THE_PLURAL = (TASK, ARM, COST)
"""Roles whose names people write in the plural, too; of others a plural is a count."""

UNITS = {
    "ms": 0.001, "msec": 0.001, "milliseconds": 0.001, "millis": 0.001, "s": 1.0, "sec": 1.0, "secs": 1.0,
    "seconds": 1.0, "min": 60.0, "mins": 60.0, "minutes": 60.0, "sek": 1.0, "sekunden": 1.0, "minuten": 60.0,
    "millisekunden": 0.001, "secondes": 1.0, "segundos": 1.0, "minutos": 60.0,
}  # fmt: skip
"""How a column of times ends -> seconds of its unit."""


AGAINST = frozenset({
    "fail", "fails", "failed", "failing", "failure", "failures", "error", "errors", "errored", "err", "wrong",
    "incorrect", "mistake", "mistakes", "violation", "violations", "violated", "violates", "breach",
    "breaches",
    "breached", "hallucination", "hallucinations", "hallucinated", "hallucinates", "unsafe", "harmful",
    "toxic",
    "leak", "leaked", "jailbroken", "broken", "bug", "bugs", "buggy", "crash", "crashed", "invalid",
    "rejected",
    "unsuccessful", "unsolved", "unresolved", "defect", "defective", "regression", "timeout", "misses",
    "missed",
    "fehler", "fehlerhaft", "falsch", "fehlgeschlagen", "gescheitert", "durchgefallen", "verstoss",
    "verletzt",
    "halluziniert", "echec", "echoue", "erreur", "erreurs", "faux", "incorrecte", "fallo", "fallos",
    "fallido",
    "fallida", "errores", "incorrecto", "incorrecta", "suspenso",
})  # fmt: skip
"""Words in the name of a column that say that 1, or yes, there is bad."""

DENIED = frozenset(
    {"no", "not", "non", "without", "free", "kein", "keine", "nicht", "ohne", "sans", "pas", "sin"}
)
"""Words that turn what a name says round."""


def plain(name: str) -> str:
    """A name without case, accents, spaces and punctuation.

    >>> plain("Model Name"), plain("is-correct?"), plain("Durée (s)")
    ('modelname', 'iscorrect', 'durees')
    """
    return re.sub(r"[\W_]+", "", _bare(name))


def _bare(name: str) -> str:
    letters = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def speaks_against(name: str) -> bool:
    """Whether 1 in a column of this name says that something went wrong.

    >>> speaks_against("failed"), speaks_against("errorFlag"), speaks_against("Hallucinated?")
    (True, True, True)
    >>> speaks_against("passed"), speaks_against("no_error"), speaks_against("not_solved")
    (False, False, True)
    """
    words = _bare(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)).replace("_", " ")
    found = set(re.findall(r"[^\W\d]+", words))
    denied = bool(found & DENIED)
    if found & AGAINST:
        return not denied
    return denied and any(_ROLES.get(word) == OUTCOME for word in found)


_ROLES = {plain(name): role for role, names in NAMES.items() for name in names}
_TIMES = sorted(map(plain, NAMES[LATENCY]), key=len, reverse=True)


def role_of(name: str) -> str | None:
    """The role of a column by its name; None where the name says nothing.

    >>> role_of("Model Name"), role_of("latency_ms"), role_of("wall time (s)"), role_of("steps")
    ('arm', 'latency', 'latency', None)
    >>> role_of("Agents"), role_of("cases"), role_of("errors")
    ('arm', 'task', None)
    """
    bare = plain(name)
    if (role := _ROLES.get(bare)) is not None:
        return role
    one = _ROLES.get(bare.removesuffix("s"))
    if one in IN_THE_PLURAL:
        return one
    return LATENCY if unit_of(name) is not None else None


def unit_of(name: str) -> float | None:
    """Seconds of the unit that a column of times names; None where it is none, or names none.

    >>> unit_of("latency_ms"), unit_of("duration (min)"), unit_of("seconds"), unit_of("latency")
    (0.001, 60.0, 1.0, None)
    """
    bare = plain(name)
    if bare in ("seconds", "secs"):
        return 1.0
    found = next((time for time in _TIMES if bare.startswith(time) and bare != time), None)
    return None if found is None else UNITS.get(bare.removeprefix(found))


def role_named(word: str) -> str | None:
    """The role that somebody names, by its own name or by any name of such a column.

    >>> role_named("task"), role_named("passed"), role_named("unread"), role_named("colour")
    ('task', 'outcome', 'unread', None)
    """
    bare = plain(word)
    own = next((role for role in (*NAMES, UNREAD) if plain(role) == bare), None)
    return own or role_of(word)


RESERVED = frozenset(
    {"agent", "cluster", "error", "model", "rep", "scores", "split", "stamp", "suite", "task_id"}
)
"""Fields of a record that a column of clusters must not be taken for."""


def kept_as(column: str) -> str:
    """The field of a record in which a column of clusters is kept: its name, which ``cluster`` then names.

    >>> kept_as("repo"), kept_as("suite")
    ('repo', 'table_suite')
    """
    return f"table_{column}" if column in RESERVED else column


def synonym(role: str, among: Iterable[str]) -> str | None:
    """The first of some names that has a role.

    >>> synonym("task", ["arm", "case"])
    'case'
    """
    return next((name for name in among if role_of(name) == role), None)
