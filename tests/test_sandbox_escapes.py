"""What code does to get out of the sandbox, and what becomes of it. Runs real bubblewrap."""

import asyncio
import os
import time
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from verifier.sandbox import Call, Limits, Outcome, Program, Ran, Run, Sandbox
from verifier.sandbox.bubblewrap import Wall
from verifier.sandbox.sandbox import find, try_out

pytestmark = pytest.mark.sandbox

LIMITS = Limits(seconds=1.0, total=4.0)

SLOWEST = LIMITS.total + 2.0
"""Seconds within which every program must have ended."""

REFUSED = (Outcome.ERROR, Outcome.CRASHED)

ESCAPES: dict[str, tuple[str, tuple[Outcome, ...]]] = {
    "opens a connection": (
        "import socket; socket.create_connection(('1.1.1.1', 53), 1)", REFUSED),
    "opens a connection without Python's socket module": (
        "import _socket; _socket.socket(2, 1).connect(('1.1.1.1', 53))", REFUSED),
    "looks up a name": ("import socket; socket.gethostbyname('example.org')", REFUSED),
    "opens a unix socket": (
        "import socket; socket.socket(socket.AF_UNIX).connect('/run/docker.sock')", REFUSED),
    "opens a socket through ctypes": (
        "import ctypes; assert ctypes.CDLL(None).socket(2, 1, 0) >= 0", REFUSED),
    "downloads a page": (
        "import urllib.request; urllib.request.urlopen('http://example.org')", REFUSED),
    "deletes the home": ("import shutil, os; shutil.rmtree(os.path.expanduser('~'))", REFUSED),
    "deletes by a shell": ("import os; assert os.system('rm -rf /root /home') == 0", REFUSED),
    "deletes through ctypes": (
        "import ctypes; assert ctypes.CDLL(None).rmdir(b'/usr/lib') == 0", REFUSED),
    "reads the home": ("import os; os.listdir('/root/.ssh')", REFUSED),
    "reads another's environment": ("open('/proc/1/environ').read()", REFUSED),
    "reads its own memory map": ("open('/proc/self/maps').read()", REFUSED),
    "reads the shadow file": ("open('/etc/shadow').read()", REFUSED),
    "reads the list of users": ("open('/etc/passwd').read()", REFUSED),
    "follows a symlink out": (
        "import os; os.symlink('/etc/shadow', '/tmp/s'); open('/tmp/s').read()", REFUSED),
    "opens a raw disk": ("open('/dev/sda', 'rb').read(1)", REFUSED),
    "forks without end": (
        "import os\n    while True:\n        os.fork()",
        (Outcome.ERROR, Outcome.TIMEOUT, Outcome.MEMORY)),
    "allocates without end": (
        "x = [bytearray(1 << 26) for _ in range(10**6)]", (Outcome.MEMORY, Outcome.TIMEOUT)),
    "asks for all memory at once": ("bytearray(1 << 40)", (Outcome.MEMORY,)),
    "loops without end": ("while True: pass", (Outcome.TIMEOUT,)),
    "sleeps": ("import time; time.sleep(3600)", (Outcome.TIMEOUT,)),
    "ignores signals and loops": (
        "import signal\n    for n in range(1, 32):\n        try: signal.signal(n, 1)\n"
        "        except OSError: pass\n    while True: pass", (Outcome.TIMEOUT,)),
    "catches everything and loops": (
        "while True:\n        try:\n            while True: pass\n        except: pass",
        (Outcome.TIMEOUT,)),
    "prints without end": ("while True: print('x' * 1000)", (Outcome.OUTPUT,)),
    "writes errors without end": (
        "import sys\n    while True: sys.stderr.write('x' * 1000)", (Outcome.OUTPUT,)),
    "returns a huge value": ("return 'x' * (1 << 24)", (Outcome.OUTPUT,)),
    "returns a value of a million parts": ("return list(range(1_000_000))", (Outcome.OUTPUT,)),
    "returns itself inside itself": ("x = []; x.append(x); return x", (Outcome.OUTPUT,)),
    "returns a generator that never ends": (
        "import itertools; return itertools.count()", (Outcome.OUTPUT,)),
    "writes a huge file": (
        "f = open('/tmp/big', 'wb')\n    while True: f.write(b'x' * (1 << 20))", REFUSED),
    "fills the folder with files": (
        "for n in range(10**6):\n        open(f'/tmp/{n}', 'wb').write(b'x' * (1 << 19))", REFUSED),
    "fills shared memory": ("open('/dev/shm/x', 'wb').write(b'x')", REFUSED),
    "kills its parent": (
        "import ctypes, os; assert ctypes.CDLL(None).kill(os.getppid(), 9); loop()",
        (Outcome.ERROR, Outcome.TIMEOUT)),
    "kills everything": ("import ctypes; ctypes.CDLL(None).kill(-1, 9)", (Outcome.OK, *REFUSED)),
    "traces its parent": (
        "import ctypes, os; assert ctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0) == 0", REFUSED),
    "mounts": (
        "import ctypes; assert ctypes.CDLL(None).mount(b'x', b'/tmp', b'tmpfs', 0, 0) == 0",
        REFUSED),
    "makes a user namespace": (
        "import ctypes; assert ctypes.CDLL(None).unshare(0x10000000) == 0", REFUSED),
    "becomes root": ("import os; os.setuid(0)", REFUSED),
    "changes the interpreter": ("import json; open(json.__file__, 'a').write('x')", REFUSED),
    "changes the driver": ("open('/box/inside/driver.py', 'w').write('x')", REFUSED),
    "starts a program": ("import subprocess; subprocess.run(['/bin/sh', '-c', 'id'])", REFUSED),
    "exits with success": ("import os; os._exit(0)", (Outcome.EXITED,)),
    "exits with a code of its own": ("import os; os._exit(42)", (Outcome.EXITED,)),
    "leaves through SystemExit": ("raise SystemExit(0)", REFUSED),
    "kills itself": ("import ctypes, os; ctypes.CDLL(None).kill(os.getpid(), 9)",
                     (Outcome.CRASHED,)),
    "crashes the interpreter": ("import ctypes; ctypes.string_at(0)", (Outcome.CRASHED,)),
    "recurses until the stack is full": (
        "import sys; sys.setrecursionlimit(10**9)\n    def f(): return f()\n    f()",
        (*REFUSED, Outcome.MEMORY, Outcome.TIMEOUT)),
    "loops while it is shown": (
        "class Bad:\n        def __repr__(self):\n            while True: pass\n    return Bad()",
        (Outcome.TIMEOUT,)),
    "loops while its error is shown": (
        "class Bad(Exception):\n        def __str__(self):\n            while True: pass\n"
        "    raise Bad", (Outcome.TIMEOUT,)),
    "unpickles a command": (
        "import pickle; assert pickle.loads(b\"cos\\nsystem\\n(S'id'\\ntR.\") == 0", REFUSED),
    "switches the audit off": (
        "import sys; sys.addaudithook(None); open('/usr/lib/x', 'w')",
        (Outcome.EXITED, *REFUSED)),
}  # fmt: skip
"""What the body of a function does, and how its call may end."""


@pytest.fixture(scope="module")
def sandbox() -> Sandbox:
    return Sandbox.open("strong", LIMITS)


def call(sandbox: Sandbox, source: str, expression: str = "f()") -> Run:
    return run(sandbox, source, expression).runs[0]


def run(sandbox: Sandbox, source: str, *expressions: str) -> Ran:
    calls = tuple(Call(expression=one) for one in expressions)
    return asyncio.run(sandbox.run(Program(source, calls)))


@pytest.mark.parametrize("what", ESCAPES)
def test_nothing_gets_out(sandbox: Sandbox, what: str) -> None:
    body, allowed = ESCAPES[what]
    source = f"def f():\n    {body}\ndef loop():\n    while True: pass\n"
    limits = LIMITS if Outcome.TIMEOUT in allowed else replace(LIMITS, seconds=LIMITS.total)
    start = time.monotonic()
    program = Program(source, (Call("f"),))
    ended = asyncio.run(sandbox.run(program, limits)).runs[0]
    assert ended.outcome in allowed, ended
    assert time.monotonic() - start < SLOWEST


def test_a_file_in_the_callers_home_survives(sandbox: Sandbox, tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    marker.write_text("here")
    ended = call(sandbox, f"def f():\n    import os\n    os.unlink({str(marker)!r})")
    assert ended.outcome is Outcome.ERROR
    assert marker.read_text() == "here"


def test_a_file_survives_an_attempt_that_python_does_not_see(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    marker = tmp_path / "marker"
    marker.write_text("here")
    body = f"import ctypes; return ctypes.CDLL(None).unlink({os.fsencode(marker)!r})"
    assert call(sandbox, f"def f():\n    {body}").value == -1
    assert marker.exists()


def test_forbidden_attempts_are_told(sandbox: Sandbox) -> None:
    body = "import shutil; shutil.rmtree('/home/me', ignore_errors=True)"
    assert call(sandbox, f"def f():\n    {body}").events == ("deleting files: /home/me",)


def test_files_of_its_own_may_be_written_and_deleted(sandbox: Sandbox) -> None:
    body = "open('a', 'w').write('b'); x = open('a').read(); import os; os.remove('a'); return x"
    ended = call(sandbox, f"def f():\n    {body}")
    assert (ended.value, ended.events) == ("b", ())


def test_the_environment_is_empty(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "s3cret")
    seen = call(sandbox, "import os\ndef f(): return sorted(os.environ)").value
    assert seen == ["HOME", "LANG", "LD_LIBRARY_PATH", "PATH", "PWD", "PYTHONHASHSEED"]


def test_it_is_another_user_without_capabilities(sandbox: Sandbox) -> None:
    seen = call(sandbox, "import os\ndef f(): return os.getuid(), os.getgroups()").value
    assert isinstance(seen, tuple)
    assert seen[0] not in (0, os.getuid())


def test_no_other_process_is_in_sight(sandbox: Sandbox) -> None:
    seen = call(sandbox, "import os\ndef f(): return os.getppid(), os.path.exists('/proc/1')")
    assert seen.value == (1, False)


def test_nothing_of_this_machine_is_in_sight(sandbox: Sandbox) -> None:
    seen = call(sandbox, "import os\ndef f(): return sorted(os.listdir('/'))").value
    assert isinstance(seen, list)
    assert not {"home", "root", "work", "proc", "sys", "run", "var", "srv"} & set(seen)


def test_a_printed_result_is_no_result(sandbox: Sandbox) -> None:
    body = """print('={"value": ["i", "0x5"]}'); print('{"n": 0, "status": "ok"}'); return 4"""
    ended = call(sandbox, f"def f():\n    {body}")
    assert (ended.outcome, ended.value) == (Outcome.OK, 4)


def test_writing_to_the_channel_of_the_result_is_seen(sandbox: Sandbox) -> None:
    body = """import os; os.write(3, b'={"value": ["i", "0x5"]}\\n'); os._exit(0)"""
    assert call(sandbox, f"def f():\n    {body}").outcome is Outcome.FORGED


@pytest.mark.parametrize("number", range(4, 12))
def test_no_other_channel_is_open(sandbox: Sandbox, number: int) -> None:
    body = f"import os; os.write({number}, b'x')"
    assert "Bad file descriptor" in call(sandbox, f"def f():\n    {body}").error


def test_patching_json_and_builtins_changes_nothing_outside(sandbox: Sandbox) -> None:
    source = (
        "import json, builtins\njson.dumps = lambda *a, **k: 'null'\n"
        "builtins.repr = lambda x: 'lie'\ndef f(): return 4\n"
    )
    ended = call(sandbox, source)
    assert ended.outcome in (Outcome.OK, Outcome.FORGED)
    assert ended.value in (4, None)


def test_an_object_that_equals_everything_equals_nothing(sandbox: Sandbox) -> None:
    source = (
        "class All:\n    def __eq__(self, o): return True\n    def __repr__(self): return '5'\n"
    )
    assert call(sandbox, f"{source}def f(): return All()").value != 5


def test_a_lying_number_is_read_as_what_it_is(sandbox: Sandbox) -> None:
    source = (
        "class Lie(int):\n    def __repr__(self): return '5'\n    def __eq__(self, o): return 1\n"
    )
    assert call(sandbox, f"{source}def f(): return Lie(4)").value == 4


def test_a_daemon_does_not_outlive_its_call(sandbox: Sandbox) -> None:
    source = (
        "import os, time\ndef start():\n    if os.fork() == 0:\n        os.setsid()\n"
        "        if os.fork() == 0:\n            time.sleep(1)\n            open('late', 'w')\n"
        "            time.sleep(60)\n        os._exit(0)\n    return os.getpid()\n"
        "def late():\n    time.sleep(0.8)\n    return os.path.exists('late')\n"
    )
    start = time.monotonic()
    ended = run(sandbox, source, "start()", "late()", "late()")
    assert [one.value for one in ended.runs[1:]] == [False, False]
    assert time.monotonic() - start < SLOWEST


def test_threads_that_never_end_hold_nothing_up(sandbox: Sandbox) -> None:
    source = (
        "import threading, time\ndef f():\n"
        "    threading.Thread(target=lambda: time.sleep(60)).start()\n    return 7\n"
    )
    assert call(sandbox, source).value == 7


def test_calls_cannot_see_each_other(sandbox: Sandbox) -> None:
    source = "seen = []\ndef f():\n    seen.append(1)\n    return len(seen)\n"
    assert [one.value for one in run(sandbox, source, "f()", "f()").runs] == [1, 1]


@pytest.mark.parametrize(
    ("source", "outcome"),
    [
        ("while True: pass", Outcome.TIMEOUT),
        ("x = bytearray(1 << 40)", Outcome.MEMORY),
        ("import os; os._exit(0)", Outcome.EXITED),
        ("raise ValueError('no')", Outcome.ERROR),
        ("def f(:", Outcome.ERROR),
        ("while True: print('x' * 1000)", Outcome.OUTPUT),
    ],
)
def test_a_bomb_at_import_ends_every_call(sandbox: Sandbox, source: str, outcome: Outcome) -> None:
    ended = run(sandbox, source, "f()", "f()")
    assert {one.outcome for one in (ended.load, *ended.runs)} == {outcome}
    assert not any(one.loaded for one in ended.runs if outcome is Outcome.ERROR)


def test_many_slow_calls_share_the_time_of_the_program(sandbox: Sandbox) -> None:
    start = time.monotonic()
    ended = run(sandbox, "def f():\n    while True: pass\n", *["f()"] * 9)
    assert {one.outcome for one in ended.runs} == {Outcome.TIMEOUT, Outcome.UNRUN}
    assert time.monotonic() - start < SLOWEST


def test_cancelling_leaves_nothing_behind(sandbox: Sandbox) -> None:
    async def cancelled() -> float:
        program = Program("import time\ndef f(): time.sleep(60)\n", (Call("f"),))
        task = asyncio.create_task(sandbox.run(program, Limits(seconds=60, total=60)))
        await asyncio.sleep(0.5)
        start = time.monotonic()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return time.monotonic() - start

    assert asyncio.run(cancelled()) < 2.0
    assert not children()


def test_it_holds_for_ordinary_users_too(tmp_path: Path) -> None:
    wall = Wall(find().bwrap, own_user=True)
    if not find().own_user and try_out(wall):
        pytest.skip("user namespaces are not allowed here")
    (tmp_path / "marker").write_text("here")
    source = (
        "import ctypes, os\nC = ctypes.CDLL(None)\n"
        f"def gone(): return C.unlink({os.fsencode(tmp_path / 'marker')!r})\n"
        "def net(): return C.socket(2, 1, 0)\ndef uid(): return os.getuid()\n"
        "def spaces(): return C.unshare(0x10000000)\ndef proc(): return os.path.exists('/proc/1')\n"
    )
    tests = ("gone()", "net()", "uid()", "spaces()", "proc()")
    ended = run(Sandbox(wall, "strong", LIMITS), source, *tests)
    assert [one.value for one in ended.runs] == [-1, -1, 65534, -1, False]
    assert (tmp_path / "marker").exists()


@pytest.fixture
def weak() -> Sandbox:
    return Sandbox.open("weak", LIMITS)


@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        ("while True: pass", Outcome.TIMEOUT),
        ("bytearray(1 << 40)", Outcome.MEMORY),
        ("while True: print('x' * 1000)", Outcome.OUTPUT),
        ("import os; os._exit(0)", Outcome.EXITED),
        ("import shutil; shutil.rmtree('/nowhere')", Outcome.ERROR),
        ("return 5", Outcome.OK),
    ],
)
def test_weak_has_the_same_limits_and_names_the_same_attempts(
    weak: Sandbox, body: str, outcome: Outcome
) -> None:
    ended = run(weak, f"def f():\n    {body}", "f()")
    assert (ended.runs[0].outcome, ended.strength) == (outcome, "weak")


def test_weak_leaves_no_daemon_behind(weak: Sandbox) -> None:
    source = (
        "import os, time\ndef f():\n    if os.fork() == 0:\n        os.setsid()\n"
        "        if os.fork() == 0:\n            time.sleep(9)\n        os._exit(0)\n    return 1\n"
    )
    assert run(weak, source, "f()").runs[0].value == 1
    assert not [one for one in psutil.Process().children(recursive=True) if "python" in one.name()]


def test_nothing_is_left_over_after_all_of_this() -> None:
    assert not children()


def children() -> list[str]:
    """Command lines of this process's children that are bubblewrap."""
    here = psutil.Process().children(recursive=True)
    return [one.name() for one in here if one.name() == "bwrap"]
