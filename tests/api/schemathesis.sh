#!/usr/bin/env bash
# Throws requests made from the OpenAPI document at a server, good ones and bad ones, and holds every reply against the
# document: no server error, no undocumented status, content type, header or field.
#
#   tests/api/schemathesis.sh [SECONDS [SEED]]       default: 60 seconds, seed 1: the same seed makes the same requests
#
# Installs `schemathesis` and `openapi-spec-validator` from PyPI into target/schemathesis when they are not there.
set -euo pipefail
case ${1:-} in -h | --help) sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//p}' "$0"; exit ;; esac

cd "$(dirname "$0")/../.."
readonly SECONDS_IN_ALL=${1:-60} SEED=${2:-1}
readonly TARGET_DIR=${CARGO_TARGET_DIR:-target}
readonly TOOLS=$TARGET_DIR/schemathesis

if [[ ! -x $TOOLS/bin/schemathesis ]]; then
    python3 -m venv "$TOOLS"
    "$TOOLS/bin/pip" install --quiet 'schemathesis==4.*' 'openapi-spec-validator==0.*'
fi
"$TOOLS/bin/openapi-spec-validator" openapi/centipawn.json

cargo build --locked --quiet --bin centipawn
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
# Low caps, so that searches are short; beyond them is a documented 400. A search that waits for a core longer than it may take
# is refused, which a busy machine must not make happen here.
"$TARGET_DIR/debug/centipawn" serve --listen "127.0.0.1:$port" --log-level error \
    --max-depth 6 --max-nodes 20000 --cloud-eval-nodes 2000 --max-movetime-ms 200 --default-movetime-ms 100 &
server=$!
trap 'kill "$server" 2>/dev/null || true' EXIT

"$TOOLS/bin/schemathesis" --config-file tests/api/schemathesis.toml run "http://127.0.0.1:$port/openapi.json" \
    --wait-for-schema 10 --max-time "$SECONDS_IN_ALL" --seed "$SEED" --continue-on-failure
