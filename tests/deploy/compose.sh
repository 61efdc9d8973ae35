#!/usr/bin/env bash
# Checks deploy/compose.yaml by the Compose specification, and for what no schema sees: settings that exist, limits, what can be
# written and reached. And Prometheus' configuration.
#
#   tests/deploy/compose.sh
#
# Installs tools from PyPI into target/deploy-tools when they are not there. Needs the package prometheus (promtool). With
# CENTIPAWN naming a binary, that one is asked for its settings instead of a debug build.
set -euo pipefail
cd "$(dirname "$0")/../.."
source tests/deploy/checks.sh
source tests/deploy/tools.sh
require prometheus promtool

readonly COMPOSE=deploy/compose.yaml
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

install_tools
find_binary
"$CENTIPAWN" serve --help >"$work/settings"

is_right() { "$TOOLS/bin/python" tests/deploy/compose.py "$1" "$work/settings"; }
is_refused() { ! is_right "$1"; }

check "compose.yaml is right" is_right "$COMPOSE"
check "Prometheus understands its configuration" promtool check config deploy/compose/prometheus.yaml

# A check that finds nothing proves something only if it finds what is wrong.
cp -r deploy "$work/deploy"
while IFS='|' read -r name change; do
    sed "$change" "$COMPOSE" >"$work/deploy/compose.yaml"
    cmp --silent "$COMPOSE" "$work/deploy/compose.yaml" && { echo "nothing to change for: $name" && exit 1; }
    check "$name is refused" is_refused "$work/deploy/compose.yaml"
done <<'CHANGES'
an unknown network|s|networks: \[back\]|networks: [bak]|
a misspelt key|s|healthcheck:|heathcheck:|
a setting that the service does not know|s|CENTIPAWN_LOG_FORMAT|CENTIPAWN_LOGFORMAT|
metrics where nobody asks|s|0.0.0.0:8081|0.0.0.0:8082|
a file that is not there|s|compose/prometheus.yaml|compose/prometheus.yml|
a root that can be written|s|read_only: true|read_only: false|
CHANGES
summary
