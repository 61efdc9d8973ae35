#!/usr/bin/env bash
# Uses the analysis page in Chromium as people do: by pointer, by keyboard, by pasting; and checks it with axe.
#
#   tests/page/browse.sh [FOLDER]        with a folder: leaves screenshots there, light and dark, narrow and wide
#
# Needs Debian's `chromium`. Installs `playwright` and axe from PyPI into target/page-tools when they are not there.
set -euo pipefail
case ${1:-} in -h | --help) sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//p}' "$0"; exit ;; esac

cd "$(dirname "$0")/../.."
readonly TARGET_DIR=${CARGO_TARGET_DIR:-target}
readonly TOOLS=$TARGET_DIR/page-tools
source tests/deploy/checks.sh
require chromium chromium

if [[ ! -x $TOOLS/bin/playwright ]]; then
    python3 -m venv "$TOOLS"
    "$TOOLS/bin/pip" install --quiet --disable-pip-version-check 'playwright==1.*' 'axe-playwright-python==0.1.*'
fi

serve "$TARGET_DIR"

"$TOOLS/bin/python" tests/page/browse.py "http://127.0.0.1:$port/" "$(command -v chromium)" "${1:-}"
