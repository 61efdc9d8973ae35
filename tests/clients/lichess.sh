#!/usr/bin/env bash
# Other people's clients against the service: berserk, the client of Lichess' API, given our address instead of Lichess',
# and python-chess, which reads reviews as PGN and speaks UCI with the engine.
#
#   tests/clients/lichess.sh
#
# Installs `berserk` and `chess` from PyPI into target/clients when they are not there.
set -euo pipefail
case ${1:-} in -h | --help) sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//p}' "$0"; exit ;; esac

cd "$(dirname "$0")/../.."
source tests/deploy/checks.sh
readonly TARGET_DIR=${CARGO_TARGET_DIR:-target}
readonly TOOLS=$TARGET_DIR/clients

if [[ ! -x $TOOLS/bin/python ]] || ! "$TOOLS/bin/python" -c 'import berserk, chess.engine' 2>/dev/null; then
    python3 -m venv "$TOOLS"
    "$TOOLS/bin/pip" install --quiet --disable-pip-version-check 'berserk==0.*' 'chess==1.*'
fi

serve "$TARGET_DIR"
check "berserk reads our evaluations as those of Lichess" \
    "$TOOLS/bin/python" tests/clients/lichess_berserk.py "http://127.0.0.1:$port"
check "python-chess reads our reviews" \
    "$TOOLS/bin/python" tests/clients/review_pgn.py "http://127.0.0.1:$port"
check "python-chess plays and analyses by UCI" \
    "$TOOLS/bin/python" tests/clients/lichess_uci.py "$TARGET_DIR/debug/centipawn"
summary
