"""A seccomp filter for bubblewrap: system calls that Python code to be checked has no use for.

Namespaces already hold without it. It takes away what kernels have been broken through: new user
namespaces, mounts, bpf, io_uring, keyrings, performance events, tracing; and sockets of any kind.
"""

import os
import tempfile
from contextlib import suppress
from functools import cache
from typing import IO, Any

REFUSED = (
    *("socket", "socketpair", "connect", "bind", "listen", "accept", "accept4", "sendto"),
    *("ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd", "kcmp", "process_madvise"),
    *("mount", "umount2", "pivot_root", "chroot", "move_mount", "open_tree", "mount_setattr"),
    *("fsopen", "fsconfig", "fsmount", "fspick", "unshare", "setns", "clone3"),
    *("bpf", "perf_event_open", "userfaultfd", "io_uring_setup", "io_uring_enter"),
    *("io_uring_register", "keyctl", "add_key", "request_key", "init_module", "finit_module"),
    *("delete_module", "kexec_load", "kexec_file_load", "reboot", "swapon", "swapoff", "acct"),
    *("quotactl", "settimeofday", "clock_settime", "clock_adjtime", "adjtimex", "sethostname"),
    *("setdomainname", "syslog", "open_by_handle_at", "name_to_handle_at", "fanotify_init"),
    *("personality", "iopl", "ioperm", "vhangup", "lookup_dcookie", "mbind", "move_pages"),
    *("migrate_pages", "set_mempolicy", "modify_ldt", "memfd_secret", "landlock_restrict_self"),
)
"""Refused with EPERM; clone3 with ENOSYS, so that the C library falls back to clone, whose flags
a filter can see."""

NEW_NAMESPACES = (
    0x10000000,
    0x00020000,
    0x40000000,
    0x20000000,
    0x08000000,
    0x04000000,
    0x02000000,
)
"""clone's flags for new user, mount, network, process, IPC, UTS and cgroup namespaces."""

TIOCSTI, TIOCLINUX = 0x5412, 0x541C
"""Terminal requests that put words into the mouth of whoever reads the terminal."""


def open_filter() -> IO[bytes] | None:
    """The filter as a file to hand to `bwrap --seccomp`; None where libseccomp is not there."""
    compiled = _compiled()
    if compiled is None:
        return None
    file = tempfile.TemporaryFile()  # noqa: SIM115 - handed to the caller, who closes it
    file.write(compiled)
    file.seek(0)
    return file


@cache
def _compiled() -> bytes | None:
    try:
        import pyseccomp  # type: ignore[import-untyped]
    except (ImportError, OSError, RuntimeError):  # the package, or the system's library
        return None
    rules = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
    _add(rules, pyseccomp)
    with tempfile.TemporaryFile() as file:
        rules.export_bpf(file)
        file.seek(0, os.SEEK_SET)
        return file.read()


def _add(rules: Any, library: Any) -> None:  # noqa: ANN401 - pyseccomp has no types
    import errno

    for name in REFUSED:
        code = errno.ENOSYS if name == "clone3" else errno.EPERM
        # Calls that this processor or library does not have cannot be made either.
        with suppress(OSError, ValueError, RuntimeError):
            rules.add_rule(library.ERRNO(code), name)
    for flag in NEW_NAMESPACES:
        masked = library.Arg(0, library.MASKED_EQ, flag, flag)
        rules.add_rule(library.ERRNO(errno.EPERM), "clone", masked)
    for terminal in (TIOCSTI, TIOCLINUX):
        masked = library.Arg(1, library.MASKED_EQ, 0xFFFFFFFF, terminal)
        rules.add_rule(library.ERRNO(errno.EPERM), "ioctl", masked)
