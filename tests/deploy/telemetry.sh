#!/usr/bin/env bash
# Checks what a running service tells Prometheus, the rules and the dashboard of deploy/: by promtool, that every metric they
# name is one that the service serves, and that the dashboard leaves none of those out unsaid.
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
# With a shared cache, so that its metrics are there; where nobody listens, because they are there all the same.
"$CENTIPAWN" serve --listen "127.0.0.1:$port" --log-level error --shared-cache-url "redis://127.0.0.1:$(free_port)" &
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

# fit ALERTS DASHBOARD: each names only what is served, the dashboard shows all of it by queries that can be read.
fit() { python3 tests/deploy/telemetry.py "$work/metrics" "$RULES/recording.yaml" "$@"; }
check "what rules and dashboard name is served, and what is served is on the dashboard" fit "$RULES/alerts.yaml" "$DASHBOARD"

# A check that finds nothing proves something only if it finds what is wrong, and says so.
# finds COMPLAINT: about the files as they were changed.
finds() {
    local said
    said=$(fit "$work/alerts.yaml" "$work/dashboard.json" 2>&1) && return 1
    grep --quiet --fixed-strings -- "$1" <<<"$said" || { printf '%s\n' "$said" && return 1; }
}
while IFS='|' read -r name change complaint; do
    sed "$change" "$RULES/alerts.yaml" >"$work/alerts.yaml"
    sed "$change" "$DASHBOARD" >"$work/dashboard.json"
    cmp --silent "$RULES/alerts.yaml" "$work/alerts.yaml" && cmp --silent "$DASHBOARD" "$work/dashboard.json" &&
        { echo "nothing to change for: $name" && exit 1; }
    check "$name is found" finds "$complaint"
done <<'CHANGES'
a metric of the dashboard that is not served|s/centipawn_http_streams_open/centipawn_http_streams_told/|not served: centipawn_http_streams_told
a rule of the alerts that is not recorded|s/centipawn:http_faults:/centipawn:faults:/|not served: centipawn:faults:
a metric that no panel shows|s/centipawn_connections_closed_total/centipawn_connections_refused_total/|not shown: centipawn_connections_closed_total
a query that is none|s/sum by (reason)/sum by reason/|no query
CHANGES
summary
