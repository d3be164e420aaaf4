"""What goes into the sandbox and what is read from it; no process is started here."""

import json
import shutil
from collections.abc import Iterator

import pytest

from verifier.sandbox import (
    Call,
    Items,
    Limits,
    Opaque,
    Outcome,
    Program,
    Sandbox,
    SandboxFailed,
    SandboxMissing,
)
from verifier.sandbox import sandbox as sandbox_module
from verifier.sandbox.bubblewrap import Wall
from verifier.sandbox.inside.encode import Encoder, TooLarge
from verifier.sandbox.inside.guard import forbidden
from verifier.sandbox.program import Ran, Run
from verifier.sandbox.wire import decode, replies, request

VALUES = [
    *(None, True, False, 0, -5, 1 << 70, 0.1, float("inf"), 1j, "", "é\x00\ud800", b"\xff"),
    *([], [1, [2]], (), (1, "a"), {"a": [1]}, {1: None, (2, 3): 4.0}, frozenset({1, 2})),
]


def told(n: int, *lines: str, status: str = "ok", code: int = 0) -> bytes:
    """What the driver says of one call."""
    common = {"stdout": "", "stderr": "", "seconds": 0.1, "code": code}
    return json.dumps({"n": n, "status": status, "lines": lines, **common}).encode()


def answer(**said: object) -> str:
    return "=" + json.dumps(said)


LOADED = told(-1, answer(value=["n"]))


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_values_come_back_as_they_went(value: object) -> None:
    assert decode(json.loads(json.dumps(Encoder()(value)))) == value


def test_a_set_comes_back_as_a_set_that_nobody_can_change() -> None:
    assert decode(Encoder()({1})) == frozenset({1})


def test_an_iterator_is_no_list() -> None:
    assert decode(Encoder()(iter([1, 2]))) == Items((1, 2))


def test_an_object_is_its_type_and_its_text() -> None:
    assert decode(Encoder()(range(2))) == Opaque("builtins.range", "range(0, 2)")


def test_a_subclass_cannot_answer_for_its_contents() -> None:
    class Lie(list[int]):
        def __iter__(self) -> Iterator[int]:
            return iter([5])

    assert decode(Encoder()(Lie([1, 2]))) == [1, 2]


def test_a_value_inside_itself_is_too_large() -> None:
    circle: list[object] = []
    circle.append(circle)
    with pytest.raises(TooLarge):
        Encoder()(circle)


@pytest.mark.parametrize(
    ("event", "args", "what"),
    [
        ("open", ("/etc/x", "w", 0o1), "writing files"),
        ("os.remove", ("/home/me/x", -1), "deleting files"),
        ("os.rename", ("/tmp/../home/x", "y", -1, -1), "deleting files"),
        ("os.symlink", ("/etc/shadow", "/tmp/s", -1), "changing files"),
        ("socket.connect", (None, ("1.1.1.1", 53)), "using the network"),
        ("socket.getaddrinfo", ("example.org", 80, 0, 0, 0), "using the network"),
        ("subprocess.Popen", ("/bin/sh", ["sh"], None, None), "starting programs"),
        ("os.system", (b"id",), "starting programs"),
        ("os.kill", (1, 9), "sending signals"),
    ],
)
def test_forbidden_events_are_named(event: str, args: tuple[object, ...], what: str) -> None:
    found = forbidden(event, args, "/tmp")
    assert found is not None
    assert found[0] == what


@pytest.mark.parametrize(
    ("event", "args"),
    [
        ("open", ("/etc/x", "r", 0)),
        ("open", ("/tmp/x", "w", 0o1)),
        ("open", ("x", "w", 0o1)),
        ("open", (3, "w", 0o1)),
        ("open", ("/dev/null", "w", 0o1)),
        ("os.remove", ("x", -1)),
        ("import", ("os",)),
        ("compile", (b"", "x")),
    ],
)
def test_other_events_pass(event: str, args: tuple[object, ...]) -> None:
    assert forbidden(event, args, "/tmp") is None


def test_what_is_expected_is_no_part_of_a_request() -> None:
    program = Program("x = 1", (Call("f", "(1,)"), Call(expression="f(2)")))
    line = json.loads(request(program, Limits(), 0, "/tmp", counted=True))
    assert line["calls"] == [{"entry": "f", "args": "(1,)"}, {"expression": "f(2)"}]


def test_processes_are_limited_only_where_the_kernel_counts_them_apart() -> None:
    line = json.loads(request(Program(""), Limits(), 0, "/tmp", counted=False))
    assert line["limits"]["processes"] is None


def test_a_returned_value_is_read() -> None:
    _, run = replies([LOADED, told(0, answer(value=["i", "0x5"]))], 1)
    assert (run.outcome, run.value) == (Outcome.OK, 5)


def test_an_error_is_read_with_its_line() -> None:
    said = answer(error="ValueError", said="no", where="call", line=3)
    _, run = replies([LOADED, told(0, said)], 1)
    assert (run.outcome, run.error, run.line, run.loaded) == (
        Outcome.ERROR,
        "ValueError: no",
        3,
        True,
    )


@pytest.mark.parametrize(
    "said",
    ["=", "=5", "=null", "={}", '={"value": 5}', '={"value": ["zz"]}', '={"value": ["i", "x"]}',
     '={"value": ["S", [["l", []]]]}', "=" + "[" * 5000, '={"error": "E"}'],
)  # fmt: skip
def test_an_answer_that_our_code_would_not_give_is_forged(said: str) -> None:
    _, run = replies([LOADED, told(0, said)], 1)
    assert run.outcome is Outcome.FORGED


def test_forbidden_attempts_are_read() -> None:
    line = '!["deleting files", "/home"]'
    _, run = replies([LOADED, told(0, line, "!?", answer(value=["n"]))], 1)
    assert run.events == ("deleting files: /home", "something that could not be read")


@pytest.mark.parametrize(
    ("status", "code", "error"),
    [("exited", 42, "exit code 42"), ("crashed", -11, "signal 11"), ("timeout", -9, "")],
)
def test_other_ends_are_told(status: str, code: int, error: str) -> None:
    _, run = replies([LOADED, told(0, status=status, code=code)], 1)
    assert (run.outcome, run.error) == (Outcome(status), error)


@pytest.mark.parametrize(
    "lines", [[], [LOADED], [told(0), LOADED], [LOADED, b"{"], [LOADED, b"[]"], [LOADED, LOADED]]
)
def test_a_driver_that_does_not_tell_of_each_call_has_failed(lines: list[bytes]) -> None:
    with pytest.raises(SandboxFailed):
        replies(lines, 1)


def test_events_of_all_calls_are_told_once() -> None:
    run = Run(Outcome.OK, events=("a", "b"))
    assert Ran(run, (run, Run(Outcome.OK, events=("c",))), "weak").events == ("a", "b", "c")


def test_an_ordinary_user_gets_a_user_namespace() -> None:
    wall = Wall("bwrap", own_user=True)
    assert "--unshare-all" in wall.command(1, None)
    assert wall.uid() == 0


def test_root_becomes_a_user_of_its_own() -> None:
    wall = Wall("bwrap", own_user=False)
    assert "--unshare-net" in wall.command(1, None)
    assert 61184 <= wall.uid() <= 65519


@pytest.mark.parametrize("own_user", [True, False])
def test_every_wall_has_no_network_no_capabilities_and_no_process_list(own_user: bool) -> None:
    command = Wall("bwrap", own_user).command(1, 9)
    assert {"--clearenv", "--die-with-parent", "--new-session", "--as-pid-1"} <= set(command)
    assert "--proc" not in command
    assert command[command.index("--cap-drop") + 1] == "ALL"
    assert command[command.index("--seccomp") + 1] == "9"


def test_without_bubblewrap_it_is_said_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    sandbox_module.find.cache_clear()
    assert shutil.which("bwrap") is None
    with pytest.raises(SandboxMissing, match="apt-get install bubblewrap"):
        Sandbox.open("strong")
    assert SandboxMissing.exit_code == 3


def test_weak_is_called_weak() -> None:
    assert Sandbox.open("weak").strength == "weak"
