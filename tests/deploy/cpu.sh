#!/usr/bin/env bash
# Runs the default and the portable build on emulated processors, old and new.
#
#   tests/deploy/cpu.sh
#
# The default build (x86-64-v3) must say clearly that it cannot run on a processor of 2008, and run on one of 2013; the
# portable build must run on both and on the oldest x86-64 there is. Needs the package qemu-user and curl. With
# CENTIPAWN_DEFAULT naming a finished default build, or CENTIPAWN_PORTABLE a portable one, that build is skipped.
set -euo pipefail
cd "$(dirname "$0")/../.."
source tests/deploy/checks.sh

require qemu-user qemu-x86_64
require curl curl

readonly PERFT_4_LEAVES=197281
readonly TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}

service=""
clean_up() { [[ -z $service ]] || kill "$service" 2>/dev/null || true; }
trap clean_up EXIT

default_build() {
    if [[ -z ${CENTIPAWN_DEFAULT:-} ]]; then
        cargo build --release --locked --bin centipawn
        CENTIPAWN_DEFAULT=$TARGET_DIR/release/centipawn
    fi
}

# The command that .cargo/config.toml names, without the release profile's slow link: the instructions are what counts.
portable_build() {
    if [[ -z ${CENTIPAWN_PORTABLE:-} ]]; then
        CARGO_TARGET_DIR=$TARGET_DIR/portable CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 \
            RUSTFLAGS="-C target-cpu=x86-64" cargo build --release --locked --bin centipawn
        CENTIPAWN_PORTABLE=$TARGET_DIR/portable/release/centipawn
    fi
}

# counts_perft CPU BINARY: perft 4 from the start on that processor.
counts_perft() {
    [[ $(qemu-x86_64 -cpu "$1" "$2" perft 4) == *$PERFT_4_LEAVES* ]]
}

# refuses_clearly CPU BINARY ARGUMENTS...: an exit code that is no signal's, and a message that names what is missing
# and the way out.
refuses_clearly() {
    local message code=0
    message=$(qemu-x86_64 -cpu "$1" "${@:2}" 2>&1) || code=$?
    printf 'exit code %s: %s\n' "$code" "$message"
    [[ $code -ge 1 && $code -lt 128 && $message == *x86-64-v3* && $message == *target-cpu=x86-64* ]]
}

# evaluates CPU BINARY: the service starts on that processor and answers.
evaluates() {
    local port
    port=$(free_port)
    qemu-x86_64 -cpu "$1" "$2" serve --listen "127.0.0.1:$port" --log-level warn &
    service=$!
    wait_until_ready "$port"
    curl --silent --show-error --fail --get --data-urlencode 'fen=4k3/8/8/8/8/8/8/4K2Q w - - 0 1' \
        --data evaluator=count "http://127.0.0.1:$port/v1/evaluate" | grep -q '"cp":900[,}]'
    kill -TERM "$service"
    wait "$service"
    service=""
}

default_build
portable_build

for command in serve "perft 4" uci --version; do
    # shellcheck disable=SC2086  # a command and its arguments
    check "default build on Nehalem (2008): '$command' refuses clearly" refuses_clearly Nehalem "$CENTIPAWN_DEFAULT" $command
done
check "default build on Haswell (2013): perft 4" counts_perft Haswell "$CENTIPAWN_DEFAULT"
for cpu in qemu64 core2duo Nehalem Haswell; do
    check "portable build on $cpu: perft 4" counts_perft "$cpu" "$CENTIPAWN_PORTABLE"
done
check "portable build on qemu64: the service evaluates" evaluates qemu64 "$CENTIPAWN_PORTABLE"
summary
