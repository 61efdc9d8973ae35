#!/usr/bin/env bash
# Requests per second of POST /v1/evaluate, against a bare axum handler that parses the same body and answers the same
# bytes (benches/http_floor/bare_axum.rs).
#
#   benches/http_floor.sh [ROUNDS [SECONDS]]       default: 25 rounds of 1 second each for both
#
# `wrk -t1 -c32` on this machine loads the two in turn, after an uncounted round for each; the ratio is the median of
# the rounds' own, so that a machine whose speed drifts does not decide it, and which of the two begins a round changes.
# Each server's CPU time for a request is shown too. Fails when a request fails or the ratio is under 0.8. Needs the
# packages wrk and curl.
set -euo pipefail
case ${1:-} in -h | --help) sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//p}' "$0"; exit ;; esac

cd "$(dirname "$0")/.."
readonly ROUNDS=${1:-25} SECONDS_EACH=${2:-1} AT_LEAST=0.8
readonly TARGET_DIR=${CARGO_TARGET_DIR:-target}

for command in wrk curl python3; do
    command -v "$command" >/dev/null || { echo "$command is missing: apt-get install $command" >&2; exit 1; }
done

work=$(mktemp -d)
servers=()
clean_up() {
    [[ ${#servers[@]} -eq 0 ]] || kill "${servers[@]}" 2>/dev/null || true
    rm -rf "$work"
}
trap clean_up EXIT

free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# post_once PORT: the reply to the very request that wrk sends; waits for the server to start.
post_once() {
    local body attempt
    body=$(sed -n "s/^wrk.body = '\(.*\)'$/\1/p" benches/http_floor/post.lua)
    for attempt in $(seq 100); do
        curl --silent --fail --header 'content-type: application/json' --data "$body" \
            "http://127.0.0.1:$1/v1/evaluate" && return 0
        sleep 0.05
    done
    echo "port $1 gave no answer in $attempt attempts" >&2
    return 1
}

# cpu_ticks PID: CPU time so far, user and system, in clock ticks.
cpu_ticks() { sed 's/^.*) //' "/proc/$1/stat" | awk '{ print $12 + $13 }'; }

# load PORT PID: one round; prints requests per second, and the server's CPU microseconds for each.
load() {
    local rate failed ticks
    ticks=$(cpu_ticks "$2")
    read -r _ rate failed < <(wrk -t1 -c32 "-d${SECONDS_EACH}s" -s benches/http_floor/post.lua \
        "http://127.0.0.1:$1/v1/evaluate" | grep '^RESULT')
    [[ $failed -eq 0 ]] || { echo "$failed requests to port $1 failed" >&2; return 1; }
    ticks=$(($(cpu_ticks "$2") - ticks))
    echo "$rate $((ticks * 1000000 / $(getconf CLK_TCK) / (rate * SECONDS_EACH)))"
}

cargo build --release --locked --quiet --bin centipawn --example bare_axum
service_port=$(free_port)
"$TARGET_DIR/release/centipawn" serve --listen "127.0.0.1:$service_port" --log-level warn &
servers+=($!)
post_once "$service_port" >"$work/reply.json"
bare_port=$(free_port)
"$TARGET_DIR/release/examples/bare_axum" "127.0.0.1:$bare_port" "$work/reply.json" &
servers+=($!)
post_once "$bare_port" | cmp - "$work/reply.json"
echo "both answer the same $(stat --format %s "$work/reply.json") bytes"

load "$service_port" "${servers[0]}" >/dev/null
load "$bare_port" "${servers[1]}" >/dev/null
for round in $(seq "$ROUNDS"); do
    if ((round % 2)); then
        read -r service_rate service_cost < <(load "$service_port" "${servers[0]}")
        read -r bare_rate bare_cost < <(load "$bare_port" "${servers[1]}")
    else
        read -r bare_rate bare_cost < <(load "$bare_port" "${servers[1]}")
        read -r service_rate service_cost < <(load "$service_port" "${servers[0]}")
    fi
    echo "round $round: centipawn $service_rate req/s ($service_cost us of CPU each), bare axum $bare_rate req/s ($bare_cost us)"
    echo "$service_rate $bare_rate" >>"$work/rounds"
done

python3 - "$work/rounds" "$AT_LEAST" <<'PYTHON'
import sys
from statistics import median, quantiles

with open(sys.argv[1]) as file:
    rounds = [tuple(map(float, line.split())) for line in file]
ratios = [service / bare for service, bare in rounds]
low, ratio, high = quantiles(ratios, n=4) if len(ratios) > 1 else ratios * 3
print(f"median: centipawn {median(s for s, _ in rounds):.0f} req/s, bare axum {median(b for _, b in rounds):.0f} req/s")
print(f"ratio   {ratio:.3f}, half of the rounds from {low:.3f} to {high:.3f} (should be at least {sys.argv[2]})")
sys.exit(ratio < float(sys.argv[2]))
PYTHON
