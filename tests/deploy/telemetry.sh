#!/usr/bin/env bash
# Checks what a running service tells Prometheus, the rules and the dashboard of deploy/: by promtool, and that every metric they
# name is one that the service serves.
#
#   tests/deploy/telemetry.sh
#
# Needs the package prometheus (promtool). With CENTIPAWN naming a binary, that one is asked instead of a debug build.
set -euo pipefail
cd "$(dirname "$0")/../.."
source tests/deploy/checks.sh
source tests/deploy/tools.sh
require prometheus promtool
require curl curl

readonly RULES=deploy/prometheus
readonly DASHBOARD=deploy/grafana/centipawn.json
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

check "Prometheus understands the rules" promtool check rules "$RULES/recording.yaml" "$RULES/alerts.yaml"
check "the rules fire when they should, and only then" promtool test rules "$RULES/alerts.test.yaml"

find_binary
port=$(free_port)
"$CENTIPAWN" serve --listen "127.0.0.1:$port" --log-level error &
server=$!
trap 'kill "$server" 2>/dev/null || true; rm -rf "$work"' EXIT
wait_until_ready "$port"

# ask PATH [BODY]: of the service, whose answer is of no interest.
ask() {
    curl --silent --show-error --output /dev/null "http://127.0.0.1:$port$1" ${2:+--json "$2"} \
        --header 'Accept: application/x-ndjson, */*;q=0.5'
}
ask /v1/evaluate
ask /v1/evaluate '{"fen": "hello"}'
ask /v1/best-move '{"depth": 4}'
ask '/v1/best-move?depth=4&deterministic=true'
ask /nothing
curl --silent --show-error --fail "http://127.0.0.1:$port/metrics" >"$work/metrics"
check_metrics() { promtool check metrics <"$work/metrics"; }
check "Prometheus understands the metrics, and has nothing to say about their names" check_metrics

# are_served DASHBOARD RULES...: every metric that they name.
are_served() { python3 tests/deploy/telemetry.py "$work/metrics" "$RULES/recording.yaml" "$@"; }
are_not_served() { ! are_served "$@"; }
check "every metric of the rules is served" are_served "$RULES/recording.yaml" "$RULES/alerts.yaml"
check "every metric of the dashboard is served" are_served "$DASHBOARD"
is_json() { python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$DASHBOARD"; }
check "the dashboard is JSON" is_json

# A check that finds nothing proves something only if it finds what is wrong.
sed 's/process_open_fds/process_open_files/' "$DASHBOARD" >"$work/dashboard.json"
check "a metric that is not served is found in the dashboard" are_not_served "$work/dashboard.json"
sed 's/centipawn_panics_total/centipawn_panic_total/' "$RULES/alerts.yaml" >"$work/alerts.yaml"
check "a metric that is not served is found in the rules" are_not_served "$work/alerts.yaml"
sed 's/centipawn:http_faults:/centipawn:faults:/' "$RULES/alerts.yaml" >"$work/alerts.yaml"
check "a rule that is not recorded is found" are_not_served "$work/alerts.yaml"
summary
