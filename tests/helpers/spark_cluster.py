"""A real cluster on this machine: a master and two workers of Spark's own, and how to kill them."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyspark

from data import noisy

X, Y = noisy(classes=3)
LABELS = np.array(["no", "perhaps", "yes"])[Y]
WEIGHTS = np.arange(len(Y)) % 3 / 2.0
"""Of these rows, a third of them zero."""
HOME = Path(pyspark.__file__).parent
SETTINGS = {
    "spark.driver.memory": "512m",
    "spark.executor.memory": "512m",
    "spark.sql.shuffle.partitions": "2",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.extraJavaOptions": "-Dlog4j2.level=OFF",
}
ENVIRONMENT = {
    "PYSPARK_PYTHON": sys.executable,
    "PYSPARK_DRIVER_PYTHON": sys.executable,
    "SPARK_LOCAL_IP": "127.0.0.1",
    "SPARK_DAEMON_MEMORY": "256m",
    "SPARK_NO_DAEMONIZE": "1",
    "JDK_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",  # compile little, start soon
    "OMP_NUM_THREADS": "1",
    "PYTHONWARNINGS": "ignore",
}


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def builder(master):
    """Of a session."""
    from pyspark.sql import SparkSession

    os.environ |= ENVIRONMENT
    made = SparkSession.builder.master(master)
    for name, value in SETTINGS.items():
        made = made.config(name, value)
    return made


class Standalone:
    """A master and two workers of one core each; ``session`` runs on them."""

    def __init__(self, folder):
        self.folder, self.daemons = folder, {}
        self.url = f"spark://127.0.0.1:{free_port()}"

    def __enter__(self):
        host, port = self.url.removeprefix("spark://").split(":")
        self.start("master.Master", "--host", host, "--port", port, "--webui-port", "0")
        for name in ("one", "two"):
            self.start_worker(name)
        self.session = builder(self.url).getOrCreate()
        self.session.sparkContext.setLogLevel("OFF")
        return self

    def __exit__(self, *failure):
        self.session.stop()
        for daemon in self.daemons.values():
            daemon.kill()
            daemon.wait()

    def start(self, kind, *arguments, name=None):
        command = [HOME / "bin" / "spark-class", f"org.apache.spark.deploy.{kind}", *arguments]
        with open(self.folder / f"{name or kind}.log", "w") as log:
            self.daemons[name or kind] = subprocess.Popen(
                command, env=os.environ | ENVIRONMENT, stdout=log, stderr=log
            )

    def start_worker(self, name):
        arguments = ["--cores", "1", "--memory", "600m", "--webui-port", "0"]
        work = self.folder / f"work-{name}"
        self.start(
            "worker.Worker", *arguments, "--work-dir", str(work), "--host", "127.0.0.1", self.url,
            name=name,
        )  # fmt: skip

    def executors(self):
        """The processes that run tasks of this session."""
        app = self.session.sparkContext.applicationId
        return [
            process for process, words in commands()
            if app in words and any("CoarseGrainedExecutorBackend" in word for word in words)
        ]  # fmt: skip

    def python_workers(self):
        """The processes in which executors run Python."""
        parents = set(self.executors())
        daemons = {process for process, _ in commands() if parent_of(process) in parents}
        return [process for process, _ in commands() if parent_of(process) in daemons]

    def kill(self, kind):
        """End the first of its kind at once."""
        if kind == "worker":
            self.daemons["one"].kill()
            self.daemons["one"].wait()
            return
        victims = self.executors() if kind == "executor" else self.python_workers()
        os.kill(victims[0], signal.SIGKILL)


def commands():
    """The processes of this machine and their command lines."""
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            with contextlib.suppress(OSError):
                yield int(folder.name), (folder / "cmdline").read_text().split("\0")


def parent_of(process):
    with contextlib.suppress(OSError):
        return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    return None


def wait_until(condition, seconds=600):
    """Until it holds, or fail."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "this has not come about"
        time.sleep(0.05)
