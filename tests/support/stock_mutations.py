"""Stock mutations of a module's source: one small change each, of the sorts that make a wrong number.

Does: make every mutant of a module (comparisons, branches, operators, counts, states, strata, tables), and
import it in place of the module, together with the modules that read it. Does not: run a test.
"""

from __future__ import annotations

import ast
import importlib
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, ModuleType

from msgspec import Struct

from metrics_core.results import Keys

STATES = ("unknown", "invalid", "error")
NEIGHBOURS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
"""Comparison -> the ones that it is mistaken for: its boundary shifted, and reversed."""
COUNTED = ("Outcome", "_outcome")
"""Calls whose last two arguments are n and N."""
DECLARED = ("one_vs_rest", "levels", "groups", "source")
"""Declarations of a metric that stand for a split of its runs: each is dropped."""

LONGEST = 48
"""Characters of the old and of the new text that a label shows."""


class Mutant(Struct, frozen=True):
    """One mutated module.

    Attributes:
        label: Where, and what stands in place of what; unique within its module.
        code: The module with that one change, compiled.
    """

    label: str
    code: CodeType


def mutants(
    path: Path, *, without: Collection[str] = (), tried: Callable[[str], bool] = lambda label: True
) -> Iterator[Mutant]:
    """Each stock mutant of a source file, in order of the source.

    Args:
        path: The file.
        without: Functions that are left alone.
        tried: Whether the mutant of a label is wanted; what is not is not compiled.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    seen: Counter[str] = Counter()
    for where, old, new, put, back in _edits(tree, frozenset(without)):
        plain = f"{where}: {_cut(old)} -> {_cut(new)}"
        seen[plain] += 1
        label = plain if seen[plain] == 1 else f"{plain} #{seen[plain]}"
        if not tried(label):
            continue
        put()
        try:
            code = compile(ast.fix_missing_locations(tree), str(path), "exec")
        finally:
            back()
        yield Mutant(label, code)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


Edit = tuple[str, str, str, Callable[[], None], Callable[[], None]]
"""Function, old and new text, and what makes the change and takes it back."""


def _edits(tree: ast.Module, without: frozenset[str]) -> Iterator[Edit]:
    for statement in tree.body:
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            yield from _in_function(statement, statement.name, without)
        elif isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value is not None:
            target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
            yield from _in_table(statement, ast.unparse(target))


def _in_function(node: ast.AST, where: str, without: frozenset[str]) -> Iterator[Edit]:
    if where.rpartition(".")[2] in without:
        return
    if isinstance(node, ast.FunctionDef) and node.returns and ast.unparse(node.returns) == Keys.__name__:
        none = ast.Return(ast.Call(ast.Name(Keys.__name__, ast.Load()), [], []))
        yield _swap(node, "body", [none], where, "its keys", "none")
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "args") and not isinstance(node, ast.Call):
            continue
        if field == "keywords" and isinstance(node, ast.ClassDef):  # whether a value can be changed
            continue
        children = list(enumerate(value)) if isinstance(value, list) else [(None, value)]
        for place, child in children:
            if not isinstance(child, ast.AST):
                continue
            for new in _instead(child):
                yield _put(node, field, place, child, new, where)
            named = isinstance(child, (ast.FunctionDef, ast.ClassDef))
            yield from _in_function(child, f"{where}.{child.name}" if named else where, without)


def _in_table(node: ast.Assign | ast.AnnAssign, where: str) -> Iterator[Edit]:
    """A row dropped from a plain table, a number in it raised, a declaration of a metric dropped."""
    value = node.value
    assert value is not None
    for call in ast.walk(value):
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "Metric":
            name = next((ast.unparse(k.value) for k in call.keywords if k.arg == "name"), "?")
            for keyword in call.keywords:
                if keyword.arg in DECLARED:
                    rest = [k for k in call.keywords if k is not keyword]
                    yield _swap(call, "keywords", rest, f"{where} {name}", str(keyword.arg), "dropped")
    try:
        ast.literal_eval(value)
    except ValueError:
        return
    if isinstance(value, ast.Tuple):
        for row in value.elts:
            rest = [each for each in value.elts if each is not row]
            yield _swap(value, "elts", rest, where, ast.unparse(row), "dropped")
    if isinstance(value, ast.Dict):
        for at, key in enumerate(value.keys):
            keys, values = value.keys[:at] + value.keys[at + 1 :], value.values[:at] + value.values[at + 1 :]
            shorter = ast.Dict(keys, values)
            yield _swap(node, "value", shorter, where, ast.unparse(key) if key else "**", "dropped")
    for number in ast.walk(value):
        if isinstance(number, ast.Constant) and isinstance(number.value, (int, float)):
            if isinstance(number.value, bool):
                yield _swap(number, "value", not number.value, where, str(number.value), "negated")
            else:
                raised = number.value + (1 if isinstance(number.value, int) else 0.05)
                yield _swap(number, "value", raised, where, str(number.value), f"{raised:g}")


def _swap(node: ast.AST, field: str, new: object, where: str, old_text: str, new_text: str) -> Edit:
    old = getattr(node, field)
    return where, old_text, new_text, lambda: setattr(node, field, new), lambda: setattr(node, field, old)


def _put(node: ast.AST, field: str, place: int | None, old: ast.AST, new: ast.AST, where: str) -> Edit:
    texts = _text(old), _text(new)
    if place is None:
        return _swap(node, field, new, where, *texts)
    row = getattr(node, field)
    return where, *texts, lambda: row.__setitem__(place, new), lambda: row.__setitem__(place, old)


def _text(node: ast.AST) -> str:
    if isinstance(node, ast.If):
        return f"if {ast.unparse(node.test)}"
    if isinstance(node, ast.match_case):
        return f"case {ast.unparse(node.pattern)}"
    return ast.unparse(node)


def _instead(node: ast.AST) -> Iterator[ast.AST]:
    """What may stand in place of a node."""
    match node:
        case ast.Compare(left, [operator], comparators):
            for other in NEIGHBOURS[type(operator)]:
                yield ast.Compare(left, [other()], comparators)
        case ast.Compare(left, operators, comparators):
            for at, operator in enumerate(operators):
                for other in NEIGHBOURS[type(operator)]:
                    others = [*operators[:at], other(), *operators[at + 1 :]]
                    yield ast.Compare(left, others, comparators)
        case ast.If(_, body, orelse):
            yield ast.If(ast.Constant(value=False), body, orelse)
        case ast.IfExp(_, body, orelse):
            yield body
            yield orelse
        case ast.BoolOp(operator, values):
            yield ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), values)
        case ast.UnaryOp(ast.Not(), operand):
            yield operand
        case ast.BinOp(left, (ast.Div() | ast.Sub()) as operator, right):
            yield ast.BinOp(right, operator, left)
        case ast.BinOp(left, ast.Add(), right):
            yield ast.BinOp(left, ast.Sub(), right)
        case ast.Call(ast.Name(name), [*rest, n, N]) if (
            name in COUNTED and len(rest) > 2 and ast.dump(n) != ast.dump(N)
        ):
            yield ast.Call(node.func, [*rest, N, n], node.keywords)
        case ast.Call(ast.Name("min" | "max" as name), arguments):
            yield ast.Call(ast.Name("max" if name == "min" else "min", ast.Load()), arguments, node.keywords)
        case ast.Tuple([first, second], ast.Load()) if not isinstance(first, (ast.Constant, ast.Starred)):
            yield ast.Tuple([second, first], ast.Load())
        case ast.Constant(bool() as value):
            yield ast.Constant(value=not value)
        case ast.Constant(int() as value):
            yield ast.Constant(value=value + 1)
        case ast.Constant(str() as value) if value in STATES:
            yield ast.Constant(value="known")
        case ast.Expr(ast.Yield()) | ast.Assign([ast.Subscript()]) | ast.AugAssign():
            yield ast.Pass()


@contextmanager
def imported(modules: Sequence[str], mutated: str, code: CodeType) -> Iterator[ModuleType]:
    """The last of some modules, made anew over a mutated one; afterwards the old ones are in place again.

    Args:
        modules: Dotted names, each before those that import it.
        mutated: Which of them is mutated.
        code: Its mutated code.
    """
    old = {name: importlib.import_module(name) for name in modules[modules.index(mutated) :]}
    try:
        for name, module in old.items():
            fresh = ModuleType(name)
            fresh.__file__ = module.__file__
            if hasattr(module, "__path__"):
                fresh.__path__ = module.__path__
            _stand(name, fresh)
            exec(code if name == mutated else _code_of(module), fresh.__dict__)
        yield sys.modules[modules[-1]]
    finally:
        for name, module in reversed(old.items()):  # a package before the modules that it holds
            _stand(name, module)


_CODES: dict[str, CodeType] = {}


def _code_of(module: ModuleType) -> CodeType:
    if module.__name__ not in _CODES:
        path = Path(str(module.__file__))
        _CODES[module.__name__] = compile(path.read_text(encoding="utf-8"), str(path), "exec")
    return _CODES[module.__name__]


def _stand(name: str, module: ModuleType) -> None:
    sys.modules[name] = module
    package, _, own = name.rpartition(".")
    setattr(sys.modules[package], own, module)
