"""The service as the scripts beside this file treat it: started, asked, stalled, killed and started again on one loopback port."""

import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "benches"))
from service import percentile, release_build  # noqa: E402, F401

START_LIMIT_SECONDS = 20
FAREWELLS = re.compile(r'^centipawn_pool_cancellation_seconds_bucket\{pool="interactive",le="(.+)"\} (\d+)$', re.MULTILINE)
AT_WORK = re.compile(r"^centipawn_pool_tasks_(?:running|waiting)\{.*\} (\d+)$", re.MULTILINE)


def positions():
    """Some, as FEN."""
    suite = (REPOSITORY / "tests/data/perft/standard.epd").read_text().splitlines()
    return [line.split(";")[0].strip() for line in suite[:40]]


class Server:
    """A `centipawn serve` that may die and come back."""

    def __init__(self, binary, settings=()):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.command = [binary, "serve", "--listen", f"127.0.0.1:{self.port}", "--log-level", "error", *settings]
        self.process = None

    def start(self):
        self.process = subprocess.Popen(self.command)
        began = time.monotonic()
        while not self.is_ready():
            if self.process.poll() is not None:
                sys.exit(f"the service ended with code {self.process.returncode}")
            if time.monotonic() - began > START_LIMIT_SECONDS:
                self.process.kill()
                sys.exit(f"the service was not ready within {START_LIMIT_SECONDS} s")
            time.sleep(0.01)

    def is_ready(self):
        try:
            return self.get("/readyz")[0] == 200
        except OSError:
            return False

    def get(self, path):
        """Status and text of a `GET` on a connection of its own."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=20) as reply:
                return reply.status, reply.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def at_work(self):
        """Tasks that run or wait."""
        return sum(map(int, AT_WORK.findall(self.get("/metrics")[1])))

    def farewells(self, seconds):
        """Searches that were stopped because their client had left: those that took up to so long to stop, and all."""
        counts = {float(bound): int(count) for bound, count in FAREWELLS.findall(self.get("/metrics")[1])}
        return counts[seconds], counts[float("inf")]

    def await_rest(self, seconds):
        """Whether nothing runs or waits any more, within so long."""
        until = time.monotonic() + seconds
        while self.at_work() > 0:
            if time.monotonic() > until:
                return False
            time.sleep(0.02)
        return True

    def send(self, name):
        self.process.send_signal(name)

    def wait(self, seconds=40):
        """The exit code."""
        try:
            return self.process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            sys.exit(f"the service did not end within {seconds} s")

    def end(self):
        """Ends it as an operator would; its exit code."""
        self.send(signal.SIGTERM)
        return self.wait()

    def resident_bytes(self):
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
        return 0

    def open_files(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))
