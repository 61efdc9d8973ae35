"""Whether every metric that rules and dashboards name is served or recorded.

telemetry.py METRICS RECORDING FILE...

METRICS is what `/metrics` answered, RECORDING the rules that record. Any name in a FILE that begins as ours do counts as a
metric, wherever it stands.
"""

import pathlib
import re
import sys

SUFFIXES = {"histogram": ("_bucket", "_sum", "_count")}
NAME = re.compile(r"\b(?:centipawn_|process_|centipawn:)[a-z0-9_:]+")

metrics, recording, *files = map(pathlib.Path, sys.argv[1:])
known = set()
for name, kind in re.findall(r"^# TYPE (\S+) (\S+)$", metrics.read_text(), re.MULTILINE):
    known.update(name + suffix for suffix in SUFFIXES.get(kind, ("",)))
known.update(re.findall(r"^\s*- record: (\S+)$", recording.read_text(), re.MULTILINE))

unknown = [f"{file}: {name}" for file in files for name in sorted(set(NAME.findall(file.read_text())) - known)]
named = {name for file in files for name in NAME.findall(file.read_text())}
if unknown or not named:
    sys.exit("\n".join(["not served:", *unknown]) if unknown else "no metric is named")
print(f"{len(named)} metrics are named, all of them served")
