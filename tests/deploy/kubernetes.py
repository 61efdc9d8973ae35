"""Checks of rendered Kubernetes manifests that no schema makes: what refers to what, and what a rollout needs.

    python3 tests/deploy/kubernetes.py SETTINGS METRICS RENDERED...

SETTINGS is the output of `centipawn serve --help`, METRICS that of `/metrics`. Prints what is wrong, a line each; exits with 1 if anything is.
"""

import json
import pathlib
import re
import subprocess
import sys
import urllib.parse

import yaml

# Seconds after the drain for the last answers, and for the kubelet.
FAREWELL = 5
# MiB of a table of a deterministic search.
FRESH_TABLE = 16
# Settings that name somebody to call, each with the port where the manifests do not say it.
CALLED = {"CENTIPAWN_OTLP_ENDPOINT": 4318, "CENTIPAWN_SHARED_CACHE_URL": 6379}
# What every pod asks the cluster's DNS by.
NAMES = {("UDP", 53), ("TCP", 53)}
FAILURES = []


def claim(holds, text):
    if not holds:
        FAILURES.append(text)


class Manifests:
    """The objects of one overlay."""

    def __init__(self, path):
        self.name = path.stem
        self.objects = [document for document in yaml.safe_load_all(path.read_text()) if document]
        self.deployment = self.of_kind("Deployment")[0]
        self.pod = self.deployment["spec"]["template"]
        self.container = self.pod["spec"]["containers"][0]
        self.ports = {port["name"]: port["containerPort"] for port in self.container["ports"]}

    def of_kind(self, kind):
        return [object_ for object_ in self.objects if object_["kind"] == kind]

    def claim(self, holds, text):
        claim(holds, f"{self.name}: {text}")

    def settings(self):
        """Names and literal values of the environment; None where the value is elsewhere."""
        found = {}
        for source in self.container.get("envFrom", []):
            maps = {config["metadata"]["name"]: config["data"] for config in self.of_kind("ConfigMap")}
            name = source["configMapRef"]["name"]
            self.claim(name in maps, f"the Deployment reads the ConfigMap {name}, which is not there")
            found.update(maps.get(name, {}))
        found.update({entry["name"]: entry.get("value") for entry in self.container.get("env", [])})
        return found

    def selects_the_pod(self, labels, what):
        have = self.pod["metadata"]["labels"]
        self.claim(labels and labels.items() <= have.items(), f"{what} selects {labels}, the pod has {have}")


def check_references(manifests):
    pod = manifests.pod["spec"]
    manifests.selects_the_pod(manifests.deployment["spec"]["selector"]["matchLabels"], "the Deployment")
    for service in manifests.of_kind("Service"):
        manifests.selects_the_pod(service["spec"]["selector"], "the Service")
        for port in service["spec"]["ports"]:
            manifests.claim(port["targetPort"] in manifests.ports, f"the Service's port {port} leads nowhere")
    for budget in manifests.of_kind("PodDisruptionBudget"):
        manifests.selects_the_pod(budget["spec"]["selector"]["matchLabels"], "the PodDisruptionBudget")
        manifests.claim(budget["spec"].get("maxUnavailable", 0) >= 1, "the PodDisruptionBudget lets no node be emptied")
    for policy in manifests.of_kind("NetworkPolicy"):
        manifests.selects_the_pod(policy["spec"]["podSelector"]["matchLabels"], policy["metadata"]["name"])
        check_ingress(manifests, policy)
    opened = {port["port"] for policy in manifests.of_kind("NetworkPolicy") for port in ingress_ports(policy)}
    needed = {"http", "admin"} if manifests.of_kind("ServiceMonitor") else {"http"}
    manifests.claim(opened == needed, f"the policies let in by {opened}, and should by {needed}")
    for spread in pod["topologySpreadConstraints"]:
        manifests.selects_the_pod(spread["labelSelector"]["matchLabels"], spread["topologyKey"])
    for scaler in manifests.of_kind("HorizontalPodAutoscaler"):
        target = scaler["spec"]["scaleTargetRef"]
        is_ours = (target["kind"], target["name"]) == ("Deployment", manifests.deployment["metadata"]["name"])
        manifests.claim(is_ours, f"the autoscaler's target {target} is not the Deployment")
        manifests.claim("replicas" not in manifests.deployment["spec"], "`replicas` fights the autoscaler at each apply")
        manifests.claim("cpu" in manifests.container["resources"]["requests"], "the autoscaler needs a CPU request")
    for monitor in manifests.of_kind("ServiceMonitor"):
        wanted = monitor["spec"]["selector"]["matchLabels"].items()
        found = [service for service in manifests.of_kind("Service") if wanted <= service["metadata"]["labels"].items()]
        manifests.claim(len(found) == 1, f"the ServiceMonitor finds {len(found)} Services, and each pod as often")
        for endpoint in monitor["spec"]["endpoints"]:
            manifests.claim(endpoint.get("targetPort") == "admin", f"the metrics are not at {endpoint}")
            manifests.claim(endpoint["path"] in PATHS, f"the service has no {endpoint['path']}")
    volumes = {volume["name"] for volume in pod.get("volumes", [])}
    mounts = {mount["name"] for mount in manifests.container.get("volumeMounts", [])}
    manifests.claim(volumes == mounts, f"volumes {volumes} and mounts {mounts} differ")


def ingress_ports(policy):
    return [port for rule in policy["spec"].get("ingress", []) for port in rule["ports"]]


def check_ingress(manifests, policy):
    """Clients may come from anywhere; who comes to the admin listener is named."""
    for rule in policy["spec"].get("ingress", []):
        for port in rule["ports"]:
            name = port["port"]
            manifests.claim(name in manifests.ports, f"{policy['metadata']['name']}: no port {port}")
            named = rule.get("from") and all("podSelector" in peer for peer in rule["from"])
            manifests.claim(name == "http" or named, f"{policy['metadata']['name']} opens {name} to everybody")


def check_probes(manifests):
    wanted = {"startupProbe": "/healthz", "livenessProbe": "/healthz", "readinessProbe": "/readyz"}
    for probe, path in wanted.items():
        asked = manifests.container.get(probe, {}).get("httpGet", {})
        manifests.claim(asked.get("path") == path, f"{probe} asks {asked.get('path')} and not {path}")
        manifests.claim(asked.get("path") in PATHS, f"{probe}: the service has no {asked.get('path')}")
        # Where clients have taken all connections, the pod is full and not dead.
        manifests.claim(asked.get("port") == "admin", f"{probe} asks at {asked.get('port')}, where clients are")


def check_settings(manifests, known):
    settings = manifests.settings()
    for name, value in settings.items():
        manifests.claim(name in known, f"{name} is no setting of the service")
        manifests.claim(value is None or str(value) == value, f"{name} is no text")
    port = int(settings.get("CENTIPAWN_LISTEN", "0.0.0.0:8080").rsplit(":", 1)[1])
    manifests.claim(port == manifests.ports["http"], f"the service listens on {port}, the port is {manifests.ports}")
    port = int(settings.get("CENTIPAWN_ADMIN_LISTEN", ":0").rsplit(":", 1)[1])
    manifests.claim(port == manifests.ports["admin"], f"the admin listener is at {port}, the port is {manifests.ports}")
    grace = int(settings["CENTIPAWN_DRAIN_GRACE_SECONDS"])
    pod = manifests.pod["spec"]
    before = manifests.container["lifecycle"]["preStop"]["sleep"]["seconds"]
    needed = before + grace + FAREWELL
    has = pod["terminationGracePeriodSeconds"]
    manifests.claim(has >= needed, f"the pod is killed after {has} s, and may need {needed} s to drain")
    ready = manifests.container["readinessProbe"]
    manifests.claim(before >= ready["periodSeconds"] * ready["failureThreshold"], "preStop is over before anybody knows")
    manifests.claim(pod.get("enableServiceLinks") is False, "service links set variables named like settings")
    tables = sum(
        int(settings.get(name, "32"))
        for name in ("CENTIPAWN_INTERACTIVE_HASH_MIB", "CENTIPAWN_BULK_HASH_MIB", "CENTIPAWN_RESULT_CACHE_MIB")
    )
    # A deterministic search has a table of its own, and both pools have a thread for each core.
    tables += 2 * int(manifests.container["resources"]["limits"]["cpu"]) * FRESH_TABLE
    memory = manifests.container["resources"]["limits"]["memory"]
    fits = re.fullmatch(r"(\d+)Mi", memory) and int(memory[:-2]) >= tables + 256
    manifests.claim(fits, f"{memory} is too little for {tables} MiB of tables and 256 MiB beside them")


def check_security(manifests):
    pod, container = manifests.pod["spec"], manifests.container
    of_pod, of_container = pod["securityContext"], container["securityContext"]
    manifests.claim(of_pod["runAsNonRoot"] and of_pod["runAsUser"] > 0, "it may run as root")
    manifests.claim(of_pod["seccompProfile"]["type"] == "RuntimeDefault", "no seccomp profile")
    manifests.claim(of_container["capabilities"]["drop"] == ["ALL"], "it keeps capabilities")
    manifests.claim(of_container["readOnlyRootFilesystem"], "its root can be written")
    manifests.claim(of_container["allowPrivilegeEscalation"] is False, "it may gain privileges")
    manifests.claim(pod["automountServiceAccountToken"] is False, "it gets a token of the cluster")
    resources = container["resources"]
    for what in ("cpu", "memory"):
        manifests.claim(what in resources["limits"] and what in resources["requests"], f"no limit or request of {what}")
    rolling = manifests.deployment["spec"]["strategy"]["rollingUpdate"]
    manifests.claim(rolling["maxUnavailable"] == 0, "a rollout takes pods away before others are ready")
    image = container["image"].split(":")
    manifests.claim(len(image) == 2 and image[1] == VERSION, f"the image is {image}, the version {VERSION}")


def check_egress(manifests):
    """It may reach whom its settings name, and nobody else."""
    egress = [policy for policy in manifests.of_kind("NetworkPolicy") if "Egress" in policy["spec"]["policyTypes"]]
    manifests.claim(egress, "no policy limits where it connects to")
    allowed = set()
    for policy in egress:
        for rule in policy["spec"]["egress"]:
            to_some = rule.get("to") and all(rule["to"]) and rule.get("ports")
            manifests.claim(to_some, f"{policy['metadata']['name']} lets it connect anywhere")
            allowed |= {(port["protocol"], port["port"]) for port in rule.get("ports", [])}
    settings = manifests.settings()
    urls = {port: settings[name] for name, port in CALLED.items() if name in settings}
    called = {("TCP", urllib.parse.urlsplit(url).port if url else port) for port, url in urls.items()}
    manifests.claim(allowed == called | NAMES, f"it calls {sorted(called | NAMES)}, and may reach {sorted(allowed)}")


def check_adapter(scalers, path):
    """The rule gives the metric that the autoscaler asks for, from one that the service has."""
    rules = yaml.safe_load(path.read_text())["rules"]["custom"]
    given = {rule["name"]["as"] for rule in rules}
    asked = {
        metric["pods"]["metric"]["name"]
        for scaler in scalers
        for metric in scaler["spec"]["metrics"]
        if metric["type"] == "Pods"
    }
    claim(asked and asked == given, f"the autoscaler asks for {asked}, {path.name} gives {given}")
    for rule in rules:
        # As the adapter fills it in; Prometheus says whether it is a query.
        filled = rule["metricsQuery"].replace("<<.LabelMatchers>>", 'namespace="n"').replace("<<.GroupBy>>", "pod")
        rule_file = json.dumps({"groups": [{"name": "adapter", "rules": [{"record": "asked", "expr": filled}]}]})
        said = subprocess.run(["promtool", "check", "rules", "/dev/stdin"], input=rule_file, capture_output=True, text=True)
        claim(said.returncode == 0, f"{path.name}: {filled}: {said.stdout}{said.stderr}")
        for query in (rule["seriesQuery"], rule["metricsQuery"]):
            name = re.search(r"centipawn_\w+", query)[0]
            pool = re.search(r'pool="(\w+)"', query)[1]
            shown = re.search(rf'^{name}\{{pool="{pool}"\}} \d', METRICS, re.MULTILINE)
            claim(shown, f"{path.name}: the service does not show {name} of the pool {pool}")


if __name__ == "__main__":
    settings_file, metrics_file, *rendered = map(pathlib.Path, sys.argv[1:])
    KNOWN_SETTINGS = set(re.findall(r"\[env: (\w+)", settings_file.read_text()))
    METRICS = metrics_file.read_text()
    PATHS = json.loads(pathlib.Path("openapi/centipawn.json").read_text())["paths"]
    VERSION = re.search(r'^version = "(.*)"', pathlib.Path("Cargo.toml").read_text(), re.MULTILINE)[1]
    SCALERS = []
    for file in rendered:
        overlay = Manifests(file)
        SCALERS += overlay.of_kind("HorizontalPodAutoscaler")
        check_references(overlay)
        check_probes(overlay)
        check_settings(overlay, KNOWN_SETTINGS)
        check_security(overlay)
        check_egress(overlay)
    check_adapter(SCALERS, pathlib.Path("deploy/kubernetes/components/autoscaling/prometheus-adapter-values.yaml"))
    sys.exit("\n".join(FAILURES) or 0)
