"""Whether rules and dashboard fit what the service serves.

telemetry.py METRICS RECORDING ALERTS DASHBOARD

METRICS is what `/metrics` answered, RECORDING the rules that record. Every metric that rules and dashboard name has to be
served or recorded: any name that begins as ours do counts, wherever it stands. Every metric that is served has to be on the
dashboard or among those left out below. Prints what is wrong, a line each; exits with 1 if anything is.
"""

import json
import pathlib
import re
import subprocess
import sys

SUFFIXES = {"histogram": ("_bucket", "_sum", "_count")}
NAME = re.compile(r"\b(?:centipawn_|process_|centipawn:)[a-z0-9_:]+")
# Served and on no panel, each with its reason.
LEFT_OUT = {
    "centipawn_pool_tasks_accepted_total": "what is taken in shows by how it ends",
    "process_threads": "those of the pools are shown by their pool",
    "process_virtual_memory_bytes": "mostly addresses without memory, and says nothing",
}


def served(metrics):
    """The families that are served, each with the names of its samples."""
    types = re.findall(r"^# TYPE (\S+) (\S+)$", metrics, re.MULTILINE)
    return {name: {name + suffix for suffix in SUFFIXES.get(kind, ("",))} for name, kind in types}


def unreadable(dashboard):
    """What Prometheus has to say about the queries of the dashboard, filled in as Grafana does."""
    variables = {"$__rate_interval": "5m", "$job": ".*", "$instance": ".*"}
    rules = []
    for target in (target for panel in dashboard["panels"] for target in panel.get("targets", [])):
        query = target["expr"]
        for variable, value in variables.items():
            query = query.replace(variable, value)
        rules.append({"record": "asked", "expr": query, "labels": {"number": str(len(rules))}})
    file = json.dumps({"groups": [{"name": "dashboard", "rules": rules}]})
    said = subprocess.run(["promtool", "check", "rules", "/dev/stdin"], input=file, capture_output=True, text=True)
    return [f"no query: {said.stdout}{said.stderr}"] if said.returncode else []


def main():
    metrics, recording, alerts, dashboard = (pathlib.Path(file).read_text() for file in sys.argv[1:])
    families = served(metrics)
    known = set().union(*families.values(), re.findall(r"^\s*- record: (\S+)$", recording, re.MULTILINE))
    named, shown = (set(NAME.findall(text)) for text in (recording + alerts + dashboard, dashboard))
    panels = json.loads(dashboard)
    numbers = [panel["id"] for panel in panels["panels"]]
    wrong = [f"not served: {name}" for name in sorted(named - known)]
    for family, samples in families.items():
        if bool(samples & shown) == (family in LEFT_OUT):
            wrong.append(f"shown and left out: {family}" if family in LEFT_OUT else f"not shown: {family}")
    wrong += [f"left out and not served: {name}" for name in sorted(LEFT_OUT.keys() - families.keys())]
    wrong += [f"panels with one number: {number}" for number in set(numbers) if numbers.count(number) > 1]
    wrong += unreadable(panels)
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{len(named)} metrics are named, all of them served; {len(families)} are served")


if __name__ == "__main__":
    main()
