#!/usr/bin/env bash
# Renders the Kustomize overlays of deploy/kubernetes and checks every object: against Kubernetes' own schemas, and for
# what no schema can see: that labels, ports, paths, settings and metrics exist where they are named.
#
#   tests/deploy/kubernetes.sh
#
# Installs kubernetes-validate from PyPI into target/deploy-tools when it is not there; needs the packages curl and prometheus
# (promtool). Renders by tests/deploy/kustomize.py;
# where there is a kubectl, its rendering must be the same. With CENTIPAWN naming a binary, that one is asked for its
# settings and metrics instead of a debug build.
set -euo pipefail
cd "$(dirname "$0")/../.."
source tests/deploy/checks.sh
source tests/deploy/tools.sh
require curl curl
require prometheus promtool

work=$(mktemp -d)
service=""
clean_up() {
    [[ -z $service ]] || kill "$service" 2>/dev/null || true
    rm -rf "$work"
}
trap clean_up EXIT

install_tools
find_binary

# The last is made below, as deploy/README.md tells people to make one of their own.
readonly OVERLAYS=(small production traced)
cp -r deploy/kubernetes "$work/kubernetes"
mkdir "$work/kubernetes/overlays/traced"
cat >"$work/kubernetes/overlays/traced/kustomization.yaml" <<'OVERLAY'
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
  - ../small
components:
  - ../../components/service-monitor
  - ../../components/traces
OVERLAY

every_component_is_rendered() {
    local component
    for component in deploy/kubernetes/components/*/; do
        grep --quiet --line-regexp --fixed-strings -- "  - ../../components/$(basename "$component")" \
            "$work"/kubernetes/overlays/*/kustomization.yaml || { echo "$component is in no overlay" && return 1; }
    done
}

# Nothing but what no schema is there for, which the check below looks at.
fits_schemas() {
    local output
    output=$("$TOOLS/bin/kubernetes-validate" --strict --quiet "$1" 2>&1)
    printf '%s\n' "$output"
    ! grep --invert-match --quiet -e '^$' -e "Couldn't find schema for kind ServiceMonitor" <<<"$output"
}

is_refused_by_schema() { ! fits_schemas "$1"; }

same_as_kubectl() {
    kubectl kustomize "$work/kubernetes/overlays/$1" >"$work/kubectl.yaml"
    "$TOOLS/bin/python" - "$work/kubectl.yaml" "$work/$1.yaml" <<'PYTHON'
import re, sys, yaml

def objects(path):
    # A generated name ends with the hash of its content.
    text = re.sub(r"(name: centipawn)-[0-9a-z]{10}\b", r"\1", open(path).read())
    return sorted(yaml.safe_load_all(text), key=lambda it: (it["kind"], it["metadata"]["name"]))

one, other = map(objects, sys.argv[1:])
sys.exit(0 if one == other else f"kubectl renders\n{yaml.safe_dump_all(one)}\nkustomize.py\n{yaml.safe_dump_all(other)}")
PYTHON
}

"$CENTIPAWN" serve --help >"$work/settings"
port=$(free_port)
"$CENTIPAWN" serve --listen "127.0.0.1:$port" --log-level error &
service=$!
wait_until_ready "$port"
curl --silent --show-error --fail "http://127.0.0.1:$port/metrics" >"$work/metrics"

fits_together() { "$TOOLS/bin/python" tests/deploy/kubernetes.py "$work/settings" "$work/metrics" "$@"; }

check "every component is in an overlay" every_component_is_rendered
rendered=()
for overlay in "${OVERLAYS[@]}"; do
    "$TOOLS/bin/python" tests/deploy/kustomize.py "$work/kubernetes/overlays/$overlay" >"$work/$overlay.yaml"
    rendered+=("$work/$overlay.yaml")
    check "$overlay fits the schemas" fits_schemas "$work/$overlay.yaml"
    if command -v kubectl >/dev/null; then
        check "$overlay is what kubectl renders" same_as_kubectl "$overlay"
    fi
done
check "the objects fit together, and the service" fits_together "${rendered[@]}"

# A check that finds nothing proves something only if it finds what is wrong.
sed 's/maxUnavailable: 0/maxUnavaileble: 0/' "$work/small.yaml" >"$work/misspelt.yaml"
check "a misspelt field is refused" is_refused_by_schema "$work/misspelt.yaml"
is_refused() { ! fits_together "$work/broken.yaml" "$work/production.yaml"; }
while IFS='|' read -r name change; do
    sed "$change" "$work/traced.yaml" >"$work/broken.yaml"
    cmp --silent "$work/traced.yaml" "$work/broken.yaml" && { echo "nothing to change for: $name" && exit 1; }
    check "$name is refused" is_refused
done <<'CHANGES'
a probe of a path that is not there|s|path: /readyz|path: /ready|
a Service's port that leads nowhere|s|targetPort: http|targetPort: web|
a setting that the service does not know|s|CENTIPAWN_LOG_FORMAT|CENTIPAWN_LOGFORMAT|
a grace shorter than the drain|s|terminationGracePeriodSeconds: 40|terminationGracePeriodSeconds: 30|
a listener on another port|s|CENTIPAWN_LOG_FORMAT: json|CENTIPAWN_LISTEN: 0.0.0.0:9090|
an admin listener on another port|s|CENTIPAWN_ADMIN_LISTEN: 0.0.0.0:8081|CENTIPAWN_ADMIN_LISTEN: 0.0.0.0:9091|
no admin listener|s|CENTIPAWN_ADMIN_LISTEN:|CENTIPAWN_LOG_LEVEL:|
a probe where clients are|/livenessProbe:/,/port:/s|port: admin|port: http|
metrics where clients are|s|targetPort: admin|targetPort: http|
a policy that shows the metrics to everybody|s|^  - from:$|  - to:|
a collector that no policy lets it reach|s|opentelemetry-collector:4318|opentelemetry-collector:4317|
a policy for what no setting names|s|name: CENTIPAWN_OTLP_ENDPOINT|name: CENTIPAWN_CORS_ORIGINS|
a policy that lets it connect anywhere|s|^  - to:$|  - from:|
a selector of other pods|/^kind: Service$/,/^---/s|name: centipawn|name: other|
CHANGES
summary
