# Sourced by the scripts beside it: checks that report themselves, and a service to check on a free loopback port.
# shellcheck shell=bash

checks_passed=0

# check NAME COMMAND...: runs the command; its failure ends the script with its output.
check() {
    local name=$1 output
    shift
    if ! output=$("$@" 2>&1); then
        printf 'FAILED  %s\n  command: %s\n  output:  %s\n' "$name" "$*" "$output" >&2
        exit 1
    fi
    checks_passed=$((checks_passed + 1))
    printf 'ok      %s\n' "$name"
}

# expect NAME WANTED GOT: the two must be the same text.
expect() {
    if [[ $2 != "$3" ]]; then
        printf 'FAILED  %s\n  wanted: %s\n  got:    %s\n' "$1" "$2" "$3" >&2
        exit 1
    fi
    checks_passed=$((checks_passed + 1))
    printf 'ok      %s\n' "$1"
}

# require PACKAGE COMMAND...: every command must be on the path.
require() {
    local package=$1 command
    shift
    for command in "$@"; do
        command -v "$command" >/dev/null || {
            printf '%s: %s is missing: apt-get install %s\n' "$0" "$command" "$package" >&2
            exit 1
        }
    done
}

# free_port: a TCP port of the loopback address that nothing listens on.
free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# wait_until_ready PORT: up to ten seconds for `/readyz` to answer 200.
wait_until_ready() {
    local attempt
    for attempt in $(seq 200); do
        curl --silent --fail --output /dev/null "http://127.0.0.1:$1/readyz" && return 0
        sleep 0.05
    done
    printf 'no answer from 127.0.0.1:%s/readyz after %s attempts\n' "$1" "$attempt" >&2
    return 1
}

# serve TARGET_DIR: builds the service and runs it on a free port of the loopback address, which $port names, until the
# script ends.
serve() {
    cargo build --locked --quiet --bin centipawn
    port=$(free_port)
    "$1/debug/centipawn" serve --listen "127.0.0.1:$port" --log-level error &
    server=$!
    trap 'kill "$server" 2>/dev/null || true' EXIT
    wait_until_ready "$port"
}

# wait_until_gone PID SECONDS: whether the process ended in time.
wait_until_gone() {
    local attempt
    for attempt in $(seq $(($2 * 20))); do
        kill -0 "$1" 2>/dev/null || return 0
        sleep 0.05
    done
    printf 'process %s still runs after %s seconds (%s looks)\n' "$1" "$2" "$attempt" >&2
    return 1
}

# summary: the closing line, which the continuous integration reads.
summary() {
    printf '%s passed, 0 failed\n' "$checks_passed"
}
