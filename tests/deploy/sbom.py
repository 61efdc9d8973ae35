#!/usr/bin/env python3
"""Checks a bill of materials and the licences beside it, as deploy/sbom makes them, against what cargo and the binary say.

    tests/deploy/sbom.py FOLDER

FOLDER is that of an image: sbom.cdx.json, licenses/third-party-licences.txt, and centipawn if there is one. Standard library only.
Run from the repository root.
"""

import json
import os
import pathlib
import platform
import re
import subprocess
import sys

# Not crates, and of crates what only a build script reads but the binary holds.
OTHERS = {"rust-std", "glibc", "libgcc", "swagger-ui"}
EMBEDDED = {"utoipa-swagger-ui-vendored"}
failures = []


def claim(holds, text):
    if not holds:
        failures.append(text)


def linked():
    """Name and version of the crates that are linked directly, and of all that may be: the graph of `cargo metadata` has features
    that only tests want, too."""
    target = f"{platform.machine()}-unknown-linux-gnu"
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", target]
    metadata = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    found, waiting = set(), [metadata["resolve"]["root"]]
    while waiting:
        current = waiting.pop()
        kinds = {kind for target in packages[current]["targets"] for kind in target["kind"]}
        if current in found or "proc-macro" in kinds:
            continue
        found.add(current)
        for dependency in nodes[current]["deps"]:
            if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                waiting.append(dependency["pkg"])
    direct = {dependency["pkg"] for dependency in nodes[metadata["resolve"]["root"]]["deps"]} & found
    found |= {id_ for id_ in nodes if packages[id_]["name"] in EMBEDDED}
    found.remove(metadata["resolve"]["root"])
    return [{(packages[id_]["name"], packages[id_]["version"]) for id_ in ids} for ids in (direct, found)]


folder = pathlib.Path(sys.argv[1])
bill = json.loads((folder / "sbom.cdx.json").read_text())
licences = (folder / "licenses/third-party-licences.txt").read_text()
components = {(part["name"], part["version"]): part for part in bill["components"]}
crates = {key for key, part in components.items() if part["purl"].startswith("pkg:cargo/")}

claim((bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.5"), "it is no CycloneDX 1.5")
claim(len(components) == len(bill["components"]), "a component stands there twice")
least, most = linked()
claim(least <= crates <= most, f"missing: {sorted(least - crates)}; too much: {sorted(crates - most)}")
claim({name for name, _ in components.keys() - crates} == OTHERS, "what is no crate is not as expected")
for (name, version), part in components.items():
    claim(version and part["licenses"][0]["expression"], f"{name} has no version or no licence")
    is_crate = (name, version) in crates
    claim(not is_crate or re.fullmatch(r"[0-9a-f]{64}", part["hashes"][0]["content"]), f"{name} has no checksum")
    claim(f"\n{name} {version}: {part['licenses'][0]['expression']} (" in licences, f"{name}: its licence is not told")
# Above each text stand those that have it, after a line of signs.
owners = " ".join(" ".join(re.findall(r"\n={80}\n(.*?)\n\n", licences, re.DOTALL)).split())
without = re.search(r"These come without a text of their licence.*?\n\n", licences, re.DOTALL)
registry = pathlib.Path(os.environ.get("CARGO_HOME", pathlib.Path.home() / ".cargo")) / "registry/src"
for name, version in sorted(crates):
    if without and f"\n{name} {version}\n" in without.group():
        texts = [file.name for file in registry.glob(f"*/{name}-{version}/*") if re.match("licen[cs]e|copying", file.name.lower())]
        claim(not texts, f"{name} {version}: it has {texts}")
        continue
    claim(re.search(rf"(^|[ ,]){re.escape(name)} {re.escape(version)}($|[ ,])", owners), f"{name} {version}: no text of a licence")

binary = folder / "centipawn"
if binary.exists():
    named = set(re.findall(rb"/registry/src/[^/]+/([a-z0-9_-]+?)-(\d+\.\d+\.\d+[0-9a-zA-Z.+-]*)/", binary.read_bytes()))
    named = {(name.decode(), version.decode()) for name, version in named}
    claim(len(named) > 20, f"the binary names only {len(named)} crates")
    claim(named <= crates, f"the binary names crates that are not listed: {sorted(named - crates)}")
    claim(b"/root/" not in binary.read_bytes() and b"/home/" not in binary.read_bytes(), "the binary names folders of its builder")
print("\n".join(failures) or f"{len(crates)} crates, {len(licences)} characters of licences")
sys.exit(bool(failures))
