#!/usr/bin/env bash
# Builds for aarch64 and runs perft, an evaluation and the service under emulation.
#
#   tests/deploy/aarch64.sh [--install]
#
# Not part of every run of the continuous integration: it needs a second compiler and some minutes. Needs curl, qemu-user,
# gcc-aarch64-linux-gnu, and a Rust standard library for the target: rustup's (`rustup target add
# aarch64-unknown-linux-gnu`) or Debian's. With --install, and root, the Debian packages are installed; they add arm64 as
# a foreign architecture to the machine.
set -euo pipefail
cd "$(dirname "$0")/../.."
source tests/deploy/checks.sh

readonly TARGET=aarch64-unknown-linux-gnu
readonly PERFT_4_LEAVES=197281
readonly TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}/aarch64
readonly BINARY=$TARGET_DIR/$TARGET/release/centipawn

service=""
clean_up() { [[ -z $service ]] || kill "$service" 2>/dev/null || true; }
trap clean_up EXIT

install_packages() {
    dpkg --add-architecture arm64
    apt-get update
    DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends curl qemu-user \
        gcc-aarch64-linux-gnu libc6-dev-arm64-cross rustc-web cargo-web libstd-rust-web-dev:arm64
}

# The toolchain that has a standard library for the target: rustup's, else Debian's.
cargo_for_target() {
    if [[ -d $(rustc --print sysroot)/lib/rustlib/$TARGET/lib ]]; then
        cargo "$@"
    else
        PATH=/usr/bin:$PATH RUSTC=/usr/bin/rustc /usr/bin/cargo "$@"
    fi
}

build() {
    CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc CC_aarch64_unknown_linux_gnu=aarch64-linux-gnu-gcc \
        CARGO_TARGET_DIR=$TARGET_DIR RUSTFLAGS="-C target-feature=+crt-static" \
        cargo_for_target build --release --locked --bin centipawn --target "$TARGET"
}

counts_perft() { [[ $(qemu-aarch64 "$BINARY" perft 4) == *$PERFT_4_LEAVES* ]]; }

# Every operating system thread of the emulated program is one of the emulator's, so a whole service runs in it.
evaluates() {
    local port
    port=$(free_port)
    qemu-aarch64 "$BINARY" serve --listen "127.0.0.1:$port" --log-level warn &
    service=$!
    wait_until_ready "$port"
    curl --silent --show-error --fail --get --data-urlencode 'fen=4k3/8/8/8/8/8/8/4K2Q w - - 0 1' \
        --data evaluator=count "http://127.0.0.1:$port/v1/evaluate" | grep -q '"cp":900[,}]'
    kill -TERM "$service"
    wait "$service"
    service=""
}

[[ ${1:-} != --install ]] || install_packages
require curl curl
require qemu-user qemu-aarch64
require gcc-aarch64-linux-gnu aarch64-linux-gnu-gcc

build
check "perft 4 under emulation" counts_perft
check "eval under emulation" qemu-aarch64 "$BINARY" eval "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"
check "the service evaluates under emulation" evaluates
summary
