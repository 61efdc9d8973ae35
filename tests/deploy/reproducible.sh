#!/usr/bin/env bash
# Builds the static binary twice, in folders of other names and at other times, and compares the bytes; so too the bill of
# materials. And it is built with what deploy/profile counted for these very sources.
#
#   tests/deploy/reproducible.sh
#
# Not part of every run of the continuous integration: it builds the release twice from nothing, which takes some ten minutes.
# What is built is the last commit.
set -euo pipefail
cd "$(dirname "$0")/../.."
source tests/deploy/checks.sh
require git git

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
repository=$PWD

# build FOLDER: with its products, and what the compiler says, in the folder itself.
build() {
    (cd "$1" && unset CARGO_TARGET_DIR && deploy/build-static "$1/out" 2>&1 | tee "$1/build.log" && deploy/sbom "$1/out")
}

# Both now, so that a commit in the meantime makes no difference.
git clone --quiet "$repository" "$work/one"
git clone --quiet "$work/one" "$work/a/longer path/two"
build "$work/one"
build "$work/a/longer path/two"
for file in centipawn sbom.cdx.json third-party-licences.txt; do
    check "$file is the same" cmp "$work/one/out/$file" "$work/a/longer path/two/out/$file"
done
profile_fits() { ! grep --quiet "hash mismatch" "$work/one/build.log"; }
check "the counted branches are those of these sources (if not: deploy/profile)" profile_fits
names_no_folder() { ! grep --text --quiet --fixed-strings -e "$work" -e "${CARGO_HOME:-$HOME/.cargo}" "$work/one/out/centipawn"; }
check "the binary names no folder of its builder" names_no_folder
summary
