"""Transcripts: what each format holds of a conversation, whatever is missing or odd in it, and no secret."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from metrics_core import api, engine
from metrics_core.adapters import ADAPTERS
from metrics_core.adapters.transcripts.registry import CONVERSATIONS, TRANSCRIPTS, reading
from metrics_core.contracts import Contract
from metrics_core.errors import FormatError
from metrics_core.families import FAMILIES
from metrics_core.formats import eval_archive
from metrics_core.results import Message, MessagePart, Passage, ToolCall, Transcript
from tests.support.by_day import one_in

FORMATS = sorted(TRANSCRIPTS)
TOKEN = "ghp_" + "a1B2" * 9
KEYS = st.sampled_from([
    "messages", "traj", "role", "content", "tool_calls", "function", "name", "arguments", "args", "id",
    "type", "text", "info", "task", "actions", "outputs", "input", "output", "choices", "message",
    "target", "scores", "answer", "explanation", "attachments", "error", "injections", "tool_call",
    "reward_info", "raw", "samples", "nl_assertions", "tool_messages", "answer_attribution",
    "extracted_value", "resps", "filtered_resps", "prompt", "response", "gradingResult",
    "componentResults", "assertion", "value", "reason", "invalidation", "spans", "attributes", "events",
    "message_refs", "entries", "parts", "response", "status", "gen_ai.input.messages",
    "gen_ai.prompt.0.content", "gen_ai.choice",
    "exception_info", "trial_name", "parser_results", "observation", "results", "source_call_id",
])  # fmt: skip
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=25,
)


def read(form: str, **element: Any) -> Transcript:
    return TRANSCRIPTS[form](json.dumps(element, ensure_ascii=False).encode())


def roles(made: Transcript) -> list[str]:
    return [each.role for each in made.messages]


# ------------------------------------------------------------------------------------- every format


def test_a_transcript_is_found_by_the_name_of_its_format() -> None:
    assert {"agentdojo", "inspect", "tau-bench", "every-eval-ever"} <= set(FORMATS) & set(ADAPTERS)
    assert all(reading(name) is not None for name in FORMATS)
    assert reading("some-other-format") is None


def test_no_contract_holds_what_is_only_shown() -> None:
    contracts: list[Contract] = [contract for _, contract in engine.contracts()]
    assert FAMILIES
    assert not [path for contract in contracts for path in contract.files() if "transcript" in path]


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(
    "source", [b'{"messages": [{"role": "user", "con', b"", b"[]", b"7", b'"x"', b"{" * 9000]
)
def test_a_source_that_is_cut_off_or_no_object_says_so(form: str, source: bytes) -> None:
    with pytest.raises(FormatError, match=r"source: expected (JSON|an object)"):
        TRANSCRIPTS[form](source)


@one_in(4)
@pytest.mark.parametrize("form", FORMATS)
@given(st.dictionaries(KEYS, VALUES, max_size=8))
def test_whatever_stands_in_an_object_is_text_and_no_error(form: str, element: dict[str, Any]) -> None:
    made = TRANSCRIPTS[form](json.dumps(element).encode())
    assert made.changed(lambda text: text[:]) == made


@pytest.mark.parametrize(
    ("form", "key"),
    [
        ("agentdojo", "messages"),
        ("tau-bench", "traj"),
        ("inspect", "messages"),
        ("every-eval-ever", "messages"),
        ("tau2-bench", "messages"),
    ],
)
def test_odd_messages_keep_their_place_and_their_text(form: str, key: str) -> None:
    odd = [
        {"role": "narrator", "content": "Once"},
        {"content": "no role"},
        "bare text",
        {"role": 7, "content": {"a": 1}},
        {"role": "assistant", "content": None, "tool_calls": "call me"},
        None,
    ]
    made = read(form, **{key: odd})
    assert roles(made) == ["narrator", "", "", "7", "assistant", ""]
    assert [each.text for each in made.messages] == ["Once", "no role", "bare text", '{"a": 1}', "", ""]
    assert made.messages[4].calls == (ToolCall("", (("", "call me"),)),)


def test_arguments_are_read_whether_they_are_objects_or_their_text() -> None:
    calls = [
        {"id": "1", "function": {"name": "f", "arguments": '{"a": 1, "b": "x"}'}},
        {"id": "2", "function": {"name": "g", "arguments": "{not json"}},
        {"id": "3", "function": "h", "args": {"deep": {"n": [1]}}},
        {"id": "4", "name": "i", "arguments": {}},
    ]
    answers = [{"role": "tool", "tool_call_id": str(n), "content": "ok"} for n in (2, 3, 9)]
    made = read("tau-bench", traj=[{"role": "assistant", "tool_calls": calls}, *answers])
    assert made.messages[0].calls == (
        ToolCall("f", (("a", "1"), ("b", "x"))),
        ToolCall("g", (("", "{not json"),)),
        ToolCall("h", (("deep", '{"n": [1]}'),)),
        ToolCall("i"),
    )
    assert [each.name for each in made.messages[1:]] == ["g", "h", ""]


# ------------------------------------------------------------------------------------- each format


def test_inspect_resolves_attachments_and_names_scorers() -> None:
    image = "data:image/png;base64,iVBOR"
    made = read(
        "inspect",
        messages=[
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "attachment://a"},
                    {"type": "image", "image": "attachment://b"},
                ],
            },
            {
                "role": "assistant",
                "content": [{"type": "reasoning", "reasoning": "hm"}, {"type": "text", "text": "Yes"}],
            },
            {
                "role": "tool",
                "function": "bash",
                "content": "",
                "error": {"type": "timeout", "message": "too long"},
            },
        ],
        attachments={"a": "What is it?", "b": image},
        target=["bike", "bicycle"],
        scores={"match": {"value": "C", "answer": "Yes", "explanation": "as the target"}, "odd": 3},
        error={"message": "boom", "traceback": "Traceback"},
        limit={"type": "token", "limit": 100},
    )
    assert made.messages == (
        Message(
            role="user",
            parts=(MessagePart("What is it?"), MessagePart("data:image/png;base64,iVBOR", "image")),
        ),
        Message(role="assistant", parts=(MessagePart("hm", "reasoning"), MessagePart("Yes"))),
        Message(role="tool", name="bash", error="too long"),
    )
    assert made.passages == (
        Passage("target", "bike"),
        Passage("target", "bicycle"),
        Passage("answer", "Yes", "match"),
        Passage("judge", "as the target", "match"),
        Passage("error", "boom"),
        Passage("error", "Traceback", "traceback"),
        Passage("error", "token 100", "limit"),
    )


def test_a_sample_without_messages_has_its_input_and_its_answer() -> None:
    made = read(
        "inspect", input="2+2?", output={"choices": [{"message": {"role": "assistant", "content": "4"}}]}
    )
    assert (roles(made), made.passages) == (["user"], (Passage("answer", "4"),))


def test_promptfoo_reads_a_prompt_of_several_messages() -> None:
    chat = json.dumps([{"role": "system", "content": "Be brief"}, {"role": "user", "content": "Hi"}])
    graded = {
        "componentResults": [{"reason": "too long", "assertion": {"type": "llm-rubric", "value": "is brief"}}]
    }
    made = read("promptfoo", prompt={"raw": chat}, response={"output": {"a": 1}}, gradingResult=graded)
    assert [(each.role, each.text) for each in made.messages] == [
        ("system", "Be brief"),
        ("user", "Hi"),
        ("assistant", '{"a": 1}'),
    ]
    assert [p.kind for p in made.passages] == ["target", "judge"]
    wrapped = read("promptfoo", evaluation="e", repetition=1, result={"prompt": {"raw": "Hi"}})
    assert [each.text for each in wrapped.messages] == ["Hi"]


def test_lm_eval_reads_the_lines_of_one_sample() -> None:
    line = {
        "arguments": {"gen_args_0": {"arg_0": "2+2=", "arg_1": {"until": []}}},
        "resps": [[" 4 "]],
        "target": "4",
    }
    lines = [{**line, "filter": name, "filtered_resps": [name]} for name in ("strict", "flexible")]
    made = read("lm-evaluation-harness", samples=lines)
    assert [(each.role, each.text) for each in made.messages] == [("user", "2+2="), ("assistant", " 4 ")]
    assert [(p.text, p.by) for p in made.passages] == [
        ("4", ""),
        ("strict", "strict"),
        ("flexible", "flexible"),
    ]


def test_langfuse_shows_once_what_a_call_repeats_and_twice_what_was_said_twice() -> None:
    asked = {"role": "user", "content": "ok"}
    said = {"role": "assistant", "content": "yes"}
    calls = [
        {"type": "GENERATION", "startTime": "2026-01-01T00:00:01Z", "input": [asked], "output": said},
        {"type": "TOOL", "startTime": "2026-01-01T00:00:02Z", "name": "f", "input": {"a": 1}, "output": "3"},
        {
            "type": "GENERATION",
            "startTime": "2026-01-01T00:00:03Z",
            "input": [asked, said, asked],
            "output": "yes",
        },
    ]
    scores = [{"name": "helpful", "comment": "kind"}]
    made = read("langfuse", trace={"id": "t", "input": "Q"}, observations=calls[::-1], scores=scores)
    assert [(each.role, each.text) for each in made.messages] == [
        ("user", "ok"), ("assistant", "yes"), ("tool input", '{"a": 1}'), ("tool output", "3"),
        ("user", "ok"), ("assistant", "yes"),
    ]  # fmt: skip
    assert made.passages == (Passage("input", "Q"), Passage("judge", "kind", "helpful"))


def test_terminal_bench_shows_what_was_asked_and_each_test() -> None:
    made = read(
        "terminal-bench", instruction="Say hi", parser_results={"test_a": "passed", "test_b": "failed"}
    )
    assert made.messages == ()
    assert [(p.kind, p.text, p.by) for p in made.passages] == [
        ("input", "Say hi", ""), ("judge", "passed", "test_a"), ("judge", "failed", "test_b")
    ]  # fmt: skip


# ------------------------------------------------------------------------------------- real files


def test_agentdojo_as_published(shared_data: Path) -> None:
    runs = shared_data / "agentdojo/runs/google_gemini-2.5-flash/dailylife/user_task_8/important_instructions"
    made = TRANSCRIPTS["agentdojo"]((runs / "injection_task_0.json").read_bytes())
    assert roles(made) == ["system", "user", "assistant", "tool", "assistant", "tool", "assistant"]
    assert [call.name for each in made.messages for call in each.calls] == ["browse_webpage", "send_money"]
    assert dict(made.messages[4].calls[0].arguments) == {
        "recipient": "AT6854532054",
        "subject": "consulting services",
        "amount": "20",
        "date": "2024-04-23",
    }
    assert [each.name for each in made.messages if each.role == "tool"] == ["browse_webpage", "send_money"]
    assert len(made.injected) > 1


def test_tau_bench_as_published(shared_data: Path) -> None:
    tries = json.loads((shared_data / "tau-bench/gpt-4o-airline.json").read_bytes())
    made = [TRANSCRIPTS["tau-bench"](json.dumps(one).encode()) for one in tries]
    assert [len(each.messages) for each in made] == [len(one["traj"]) for one in tries]
    said = Counter(role for each in made for role in roles(each))
    assert said == Counter(message["role"] for one in tries for message in one["traj"])
    assert all(each.name for one in made for each in one.messages if each.role == "tool")


def test_references_of_the_first_inspect_logs_are_followed_too() -> None:
    made = read("inspect", messages=[{"role": "user", "content": "tc://1f"}], attachments={"1f": "long"})
    assert made.messages[0].text == "long"


def test_a_message_that_a_chunked_log_does_not_hold_is_said_to_be_missing() -> None:
    made = read(
        "inspect",
        message_refs=[[1, 3], [0, 1], "?", [3, -1]],
        entries={"messages/0.json": [{"role": "system", "content": "attachment://0"}],
                 "messages/2.json": [{"role": "user", "content": "hello"}, {"role": "tool", "content": "x"}],
                 "attachments/0.json": ["a long text"], "messages/last.json": ["?"]},
    )  # fmt: skip
    assert [(m.role, m.text, m.error) for m in made.messages] == [
        ("", "", "this message is not in the log"),
        ("user", "hello", ""),
        ("system", "a long text", ""),
    ]


def test_inspect_archives_as_published(shared_data: Path) -> None:
    with (shared_data / "inspect/log_message_deduplication.eval").open("rb") as file:
        log = json.loads(b"".join(eval_archive.as_json(file, "log")))
    (sample,) = log["samples"]
    made = TRANSCRIPTS["inspect"](json.dumps(sample).encode())
    assert len(made.messages) == len(sample["messages"]) > 5
    assert {call.name for each in made.messages for call in each.calls} >= {"bash"}
    assert not [part for each in made.messages for part in each.parts if part.text.startswith("attachment:")]


def test_tau2_and_lm_eval_as_published(shared_data: Path) -> None:
    four = json.loads((shared_data / "tau2/airline_relaxed_grok-3-mini.json").read_bytes())["simulations"]
    for one in four:
        made = TRANSCRIPTS["tau2-bench"](json.dumps(one).encode())
        assert len(made.messages) == len(one["messages"])
        assert made.passages[-1].text == '{"note": "No acceptable outcome matched"}'
    (lines,) = (shared_data / "every-eval-ever/lm_eval").glob("samples_*.jsonl")
    made = TRANSCRIPTS["lm-evaluation-harness"](lines.read_bytes().splitlines()[0])
    assert (roles(made), made.passages[0]) == (["user", "assistant"], Passage("target", "3"))


# ------------------------------------------------------------------------------------- whole way


def test_a_run_brings_its_source_and_no_secret(tmp_path: Path) -> None:
    """Neither one that stands as it is, nor one that only shows where JSON within JSON is decoded."""
    nested = json.dumps({"note": TOKEN}).replace("ghp", "\\u0067hp")
    messages = [
        {"role": "user", "content": [{"type": "text", "content": f"use {TOKEN}"}]},
        {"role": "assistant", "content": None, "tool_calls": [{"function": "f", "args": nested}]},
    ]
    path = tmp_path / "runs/m/github/user_task_1/none/none.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"utility": True, "security": True, "messages": messages}))
    (review,) = engine.reviews(api.load(tmp_path))
    assert TOKEN.encode() not in review.source
    assert json.loads(review.source)["messages"][0]["content"][0]["content"] == "use [redacted:github-token]"
    made = review.transcript()
    assert made is not None
    assert made.messages[0].text == "use [redacted:github-token]"
    assert made.messages[1].calls == (ToolCall("f", (("note", "[redacted:github-token]"),)),)


STEPS = [
    {"step_id": 1, "source": "system", "message": "Be brief"},
    {"step_id": 2, "source": "user", "message": [{"type": "text", "text": "List files"}]},
    {
        "step_id": 3, "source": "agent", "message": "", "reasoning_content": "ls does it",
        "tool_calls": [{"tool_call_id": "c", "function_name": "bash", "arguments": {"cmd": "ls"}}],
        "observation": {"results": [{"source_call_id": "c", "content": f"a.txt {TOKEN}"}]},
    },
]  # fmt: skip


def of_harbor(root: Path, trajectory: str | None, inline: bool = False) -> Transcript | None:
    """The transcript of one trial, which has a file of its own, or stands in that of its job."""
    raised = {"exception_type": "AgentTimeoutError", "exception_message": "too long"}
    trial = {
        "trial_name": "t__1", "task_name": "t", "trial_uri": "", "agent_info": {"name": "a"},
        "verifier_result": {"rewards": {"reward": 1.0}}, "exception_info": raised,
    }  # fmt: skip
    job = {"id": "j", "started_at": "2026-01-01T10:00:00Z", "n_total_trials": 1, "trial_results": [trial]}
    result = root / "job" / ("result.json" if inline else "t__1/result.json")
    agent = root / "job/t__1/agent"
    agent.mkdir(parents=True)
    result.write_text(json.dumps(job if inline else trial))
    if trajectory is not None:
        (agent / "trajectory.json").write_text(trajectory)
    (review,) = engine.reviews(api.load(root))
    return review.transcript()


@pytest.mark.parametrize("inline", [False, True])
def test_harbor_shows_the_trajectory_beside_its_result(tmp_path: Path, inline: bool) -> None:
    made = of_harbor(tmp_path, json.dumps({"schema_version": "ATIF-v1.5", "steps": STEPS}), inline)
    assert made is not None
    assert [(each.role, each.name, each.text) for each in made.messages] == [
        ("system", "", "Be brief"), ("user", "", "List files"), ("agent", "", ""),
        ("tool", "bash", "a.txt [redacted:github-token]"),
    ]  # fmt: skip
    assert made.messages[2].parts == (MessagePart("ls does it", "reasoning"),)
    assert made.messages[2].calls == (ToolCall("bash", (("cmd", "ls"),)),)
    assert made.passages == (Passage("error", "too long", "AgentTimeoutError"),)
    told = [problem.file for problem in api.compute(api.load(tmp_path)).findings]
    assert (told == []) is not inline  # of a job that holds its trials, a file is told as it always was


def test_a_trial_without_a_trajectory_has_its_error_and_a_cut_one_says_where(tmp_path: Path) -> None:
    made = of_harbor(tmp_path / "without", None)
    assert made is not None
    assert (made.messages, len(made.passages)) == ((), 1)
    with pytest.raises(FormatError, match=r"source: job/t__1/agent/trajectory.json: expected JSON"):
        of_harbor(tmp_path / "cut", '{"steps": [')


@given(st.dictionaries(KEYS | st.just("steps"), VALUES, max_size=8))
def test_whatever_stands_in_a_trajectory_is_text_and_no_error(trajectory: dict[str, Any]) -> None:
    for conversation in CONVERSATIONS.values():
        made = conversation(json.dumps({**trajectory, "steps": [trajectory, 7, None]}).encode())
        assert all(isinstance(each, Message) for each in made)


def test_a_line_of_a_log_has_no_source(repo: Path) -> None:
    review = next(engine.reviews(api.load(repo / "content/experiments/patches-2026")))
    assert (review.source, review.transcript()) == (b"", None)
