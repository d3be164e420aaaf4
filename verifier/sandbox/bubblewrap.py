"""The command line of bubblewrap: an empty machine with one Python in it.

Nothing of this machine is there but the C library, the Python that we run on (its standard library,
no installed packages) and our driver, all read-only; and a private /tmp of limited size. There is
no /proc and no home.
"""

import secrets
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

INSIDE = Path(__file__).with_name("inside")

PYTHON, BOX, FOLDER = "/python", "/box", "/tmp"  # noqa: S108 - its own, in the sandbox

UIDS = (61184, 65519)
"""Users that systemd sets aside for services without an account of their own."""

START = "import sys; sys.path.append({box!r}); from inside.driver import main; main()"

SYSTEM = (
    "/usr/lib",
    "/usr/lib64",
    "/usr/lib32",
    "/usr/libexec",
    "/lib",
    "/lib64",
    "/etc/ld.so.cache",
)
"""Where the C library and what Python's own modules link to are found."""


@dataclass(frozen=True, slots=True)
class Wall:
    """How bubblewrap is used on this machine."""

    bwrap: str
    """Path of the program."""
    own_user: bool
    """True: a user namespace, for ordinary users. False: we are root, and the driver becomes a
    user whom nothing on this machine belongs to."""

    def uid(self) -> int:
        """The user that the driver must become; 0 if bubblewrap sees to it.

        Another one each time, so that processes of one sandbox are counted apart.
        """
        first, last = UIDS
        return 0 if self.own_user else first + secrets.randbelow(last - first + 1)

    def command(self, size: int, seccomp: int | None) -> list[str]:
        """The whole command.

        Args:
            size: bytes of /tmp.
            seccomp: number of the open file that holds the filter.
        """
        prefix, python = interpreter()
        options = [self.bwrap, *self._namespaces(), "--die-with-parent", "--new-session"]
        options += ["--as-pid-1", "--clearenv"]
        for name, value in environment("/home").items():
            options += ["--setenv", name, value]
        options += ["--setenv", "LD_LIBRARY_PATH", f"{PYTHON}/lib"]
        for folder in ("/dev", "/etc", "/usr", BOX):
            options += ["--perms", "0755", "--dir", folder]
        for path in SYSTEM:
            options += ["--ro-bind-try", path, path]
        options += ["--ro-bind", prefix, PYTHON, "--ro-bind", str(INSIDE), f"{BOX}/inside"]
        for device in ("/dev/null", "/dev/zero", "/dev/urandom"):
            options += ["--dev-bind", device, device]
        options += ["--perms", "0777", "--size", str(size), "--tmpfs", FOLDER]
        options += ["--remount-ro", "/", "--chdir", FOLDER]
        if seccomp is not None:
            options += ["--seccomp", str(seccomp)]
        return [*options, f"{PYTHON}/{python}", *python_options(BOX)]

    def _namespaces(self) -> list[str]:
        if self.own_user:
            return [*("--unshare-all", "--uid", "65534", "--gid", "65534"), "--cap-drop", "ALL"]
        apart = ("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts")
        dropped = ("--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID")
        return [*apart, "--unshare-cgroup-try", *dropped]


def environment(home: str) -> dict[str, str]:
    """All that untrusted code sees of an environment. Hashes are the same in each run."""
    return {"PATH": "/nowhere", "HOME": home, "LANG": "C.UTF-8", "PYTHONHASHSEED": "0"}


def python_options(box: str) -> list[str]:
    """Options of the interpreter: isolated, no installed packages, no byte code written."""
    return ["-s", "-E", "-P", "-S", "-B", "-c", START.format(box=box)]


def interpreter() -> tuple[str, str]:
    """The folder of the Python that we run on, and its program within that folder."""
    name = f"python{sysconfig.get_python_version()}"
    prefix = Path(sys.base_prefix).resolve()
    for program in (f"bin/{name}", "bin/python3"):
        if (prefix / program).exists():
            return str(prefix), program
    return str(prefix), str(Path(sys.executable).resolve().relative_to(prefix))
