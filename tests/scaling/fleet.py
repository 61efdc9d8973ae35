"""Replicas of the service on loopback, and nginx in front of them with the configuration of deploy/nginx."""

import contextlib
import http.client
import pathlib
import re
import signal
import socket
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Seconds that anything may take to start or to change; on a busy machine that is long.
PATIENCE = 60
LISTS = "/etc/nginx/centipawn-replicas.conf"
# Around the configuration: what a machine's nginx.conf has, with everything it writes in one folder, and a log of who
# served what.
MAIN = """
worker_processes 2;
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log warn;
events {{ worker_connections 1024; }}
http {{
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    log_format served '$centipawn_request_id $upstream_addr $upstream_status';
    access_log {folder}/access.log served;
    include {folder}/centipawn.conf;
}}
"""


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def eventually(holds, what):
    """The first true value of `holds`, which is asked again until it is."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if value := holds():
            return value
        time.sleep(0.05)
    raise AssertionError(f"not within {PATIENCE} seconds: {what}")


def answers(port, path):
    try:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        connection.request("GET", path)
        return connection.getresponse().status == 200
    except OSError:
        return False


class Replica:
    """One process of the service."""

    def __init__(self, binary, *options):
        self.port = free_port()
        self.command = [binary, "serve", "--listen", f"127.0.0.1:{self.port}", "--log-level", "error", *options]
        self.start()

    @property
    def address(self):
        return f"127.0.0.1:{self.port}"

    def start(self):
        self.process = subprocess.Popen(self.command)
        eventually(lambda: answers(self.port, "/readyz"), f"the replica {self.address} is ready")

    def die(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def count(self, metric):
        """The value of a metric with its labels."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request("GET", "/metrics")
        text = connection.getresponse().read().decode()
        found = re.search(rf"^{re.escape(metric)} (\S+)$", text, re.MULTILINE)
        if not found:
            raise AssertionError(f"the service does not show {metric}")
        return float(found[1])


class Balancer:
    """nginx before some replicas; with `hashing` as it is deployed, without it by turns."""

    def __init__(self, folder, nginx, replicas, *, hashing=True, read_timeout="75s"):
        self.folder = folder
        self.port = free_port()
        folder.mkdir()
        servers = "".join(f"server {replica.address} max_fails=1 fail_timeout=2s;\n" for replica in replicas)
        (folder / "replicas.conf").write_text(servers)
        text = (ROOT / "deploy/nginx/centipawn.conf").read_text()
        text = replaced(text, LISTS, str(folder / "replicas.conf"), 2)
        text = replaced(text, "listen 80;", f"listen 127.0.0.1:{self.port};", 1)
        text = replaced(text, "proxy_read_timeout 75s;", f"proxy_read_timeout {read_timeout};", 1)
        if not hashing:
            text = replaced(text, "hash $centipawn_position consistent;", "", 1)
        (folder / "centipawn.conf").write_text(text)
        (folder / "nginx.conf").write_text(MAIN.format(folder=folder))
        self.process = subprocess.Popen([nginx, "-e", str(folder / "error.log"), "-c", str(folder / "nginx.conf")])
        eventually(lambda: answers(self.port, "/healthz"), "nginx passes requests on")

    def served(self):
        """Of each request by its name: the addresses that were asked for it, in order."""
        lines = (self.folder / "access.log").read_text().splitlines()
        return {line.split(" ")[0]: re.findall(r"127\.0\.0\.1:\d+", line) for line in lines}

    def stop(self):
        self.process.terminate()
        self.process.wait()


def replaced(text, old, new, times):
    # In the notes it may stand too; only lines of the configuration count.
    lines = text.split("\n")
    hits = [number for number, line in enumerate(lines) if old in line and not line.lstrip().startswith("#")]
    if len(hits) != times:
        raise AssertionError(f"the configuration has {old!r} {len(hits)} times, not {times}")
    for number in hits:
        lines[number] = lines[number].replace(old, new)
    return "\n".join(lines)


@contextlib.contextmanager
def fleet(folder, tools, replicas, *options, **balancing):
    """So many replicas and a balancer, told how to balance; `tools` are the paths of the service and of nginx."""
    binary, nginx = tools
    with contextlib.ExitStack() as cleanup:
        running = []
        for _ in range(replicas):
            running.append(Replica(binary, *options))
            cleanup.callback(running[-1].stop)
        balancer = Balancer(folder, nginx, running, **balancing)
        cleanup.callback(balancer.stop)
        yield balancer, running
