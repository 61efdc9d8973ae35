"""Checks deploy/compose.yaml: against the Compose specification, and for what no schema sees.

    python3 tests/deploy/compose.py COMPOSE SETTINGS

SETTINGS is the output of `centipawn serve --help`. Prints what is wrong, a line each; exits with 1 if anything is.
"""

import json
import pathlib
import re
import sys

import compose_spec
import yaml

# Port of the service, of the image and of the settings' default alike; and of metrics and health.
PORT, ADMIN_PORT = 8080, 8081
compose_file, settings_file = map(pathlib.Path, sys.argv[1:])
compose = yaml.safe_load(compose_file.read_text())
known_settings = set(re.findall(r"\[env: (\w+)", settings_file.read_text()))
failures = []


def claim(holds, text):
    if not holds:
        failures.append(text)


try:
    compose_spec.PyCompose.from_yaml(compose_file.read_text()).validate()
except ValueError as error:
    sys.exit(f"not by the specification: {error}")

services = compose["services"]
# An old file of three services is no proof that a newer one is: whoever adds one says here what it is.
claim(services.keys() == {"centipawn", "valkey", "prometheus"}, f"services: {', '.join(services)}")
for name, service in services.items():
    claim(service.get("read_only") is True, f"{name}: its root can be written")
    claim(service.get("cap_drop") == ["ALL"], f"{name}: it keeps capabilities")
    claim("no-new-privileges:true" in service.get("security_opt", []), f"{name}: it may gain privileges")
    claim("healthcheck" in service, f"{name}: nothing asks whether it is well")
    limits = service.get("deploy", {}).get("resources", {}).get("limits", {})
    claim(limits.keys() == {"cpus", "memory", "pids"}, f"{name}: limits {limits}")
    claim("privileged" not in service and service.get("network_mode") != "host", f"{name}: it is not locked in")
    claim(set(service["networks"]) <= compose["networks"].keys(), f"{name}: networks {service['networks']}")
    for mount in service.get("volumes", []):
        if mount["type"] == "bind":
            claim((compose_file.parent / mount["source"]).exists(), f"{name}: there is no {mount['source']}")
            claim(mount.get("read_only") is True, f"{name}: {mount['source']} can be written")
        else:
            claim(mount["source"] in compose["volumes"], f"{name}: there is no volume {mount['source']}")

ours = services["centipawn"]
for setting in ours["environment"]:
    claim(setting in known_settings, f"{setting} is no setting of the service")
claim(ours["ports"] == [f"{PORT}:{PORT}"], f"ports: {ours['ports']}")
admin = ours["environment"].get("CENTIPAWN_ADMIN_LISTEN")
claim(admin == f"0.0.0.0:{ADMIN_PORT}", f"the admin listener is at {admin}, where nobody asks")
claim((compose_file.parent / ours["build"]["context"] / ours["build"]["dockerfile"]).exists(), "no Containerfile")
containerfile = (compose_file.parent / "Containerfile").read_text()
health = json.dumps(ours["healthcheck"]["test"][1:])
claim(f"CMD {health}" in containerfile, f"the image's health check is not {health}")
grace = int(ours["environment"].get("CENTIPAWN_DRAIN_GRACE_SECONDS", 10))
patience = int(ours["stop_grace_period"].removesuffix("s"))
claim(patience >= grace + 5, f"killed after {patience} s, and may need {grace + 5} s to drain")
claim("ports" not in services["valkey"], "the cache can be reached from outside")
claim(services["valkey"]["networks"] == ["back"] and compose["networks"]["back"]["internal"], "the cache reaches the world")
cache = ours["environment"].get("CENTIPAWN_SHARED_CACHE_URL")
claim(cache == "redis://valkey:6379", f"the cache is not at {cache}")

scrape = yaml.safe_load((compose_file.parent / "compose/prometheus.yaml").read_text())["scrape_configs"]
targets = [discovery for job in scrape for discovery in job["dns_sd_configs"]]
claim(any(target["names"] == ["centipawn"] and target["port"] == ADMIN_PORT for target in targets), "Prometheus asks nobody")
sys.exit("\n".join(failures) or 0)
