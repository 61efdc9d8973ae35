"""The service as the benchmarks beside this file start it: the release build, on a free port of the loopback address."""

import http.client
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
START_LIMIT_SECONDS = 10


class Service:
    """A running `centipawn serve`; a context manager that ends it by SIGTERM."""

    def __init__(self, binary, settings=()):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        command = [binary, "serve", "--listen", f"127.0.0.1:{self.port}", "--log-level", "warn", *settings]
        started = time.perf_counter()
        self.process = subprocess.Popen(command)
        self.ready_after_seconds = self._wait_until_ready(started)

    def _wait_until_ready(self, started):
        while time.perf_counter() - started < START_LIMIT_SECONDS:
            if self.process.poll() is not None:
                sys.exit(f"the service ended with code {self.process.returncode}")
            try:
                connection = self.connect()
                connection.request("GET", "/readyz")
                if connection.getresponse().status == 200:
                    return time.perf_counter() - started
            except (ConnectionError, http.client.HTTPException):
                pass
            time.sleep(0.0005)
        self.process.kill()
        sys.exit(f"the service was not ready within {START_LIMIT_SECONDS} s")

    def connect(self):
        """A connection of one client, kept alive."""
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def resident_bytes(self):
        """Memory of the process that is really in use."""
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
        sys.exit("the system does not tell the memory of a process")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            sys.exit("the service did not end within 30 s of SIGTERM")


def release_build():
    """The release binary, built first where it is out of date."""
    subprocess.run(["cargo", "build", "--release", "--locked", "--quiet"], cwd=REPOSITORY, check=True)
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", REPOSITORY / "target"))
    return str(target / "release" / "centipawn")


def percentile(values, share):
    """The value that `share` (0 to 1) of the values do not exceed: nearest rank."""
    ranked = sorted(values)
    return ranked[max(0, -(-len(ranked) * round(share * 1000) // 1000) - 1)]
