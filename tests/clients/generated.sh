#!/usr/bin/env bash
# Clients made from the OpenAPI document: a TypeScript one (openapi-typescript, openapi-fetch) and a Python one
# (openapi-python-client), type-checked and used against the service; before that the document is linted by spectral,
# where a warning is a failure. And the README's evaluation bar.
#
#   tests/clients/generated.sh
#
# Installs what it needs from npm and PyPI into target/generated when it is not there. Needs the packages nodejs and npm.
set -euo pipefail
case ${1:-} in -h | --help) sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//p}' "$0"; exit ;; esac

cd "$(dirname "$0")/../.."
source tests/deploy/checks.sh
require nodejs node
require npm npm
readonly TARGET_DIR=${CARGO_TARGET_DIR:-target}
readonly DOCUMENT=$PWD/openapi/centipawn.json
mkdir -p "$TARGET_DIR/generated"
work=$(cd "$TARGET_DIR/generated" && pwd)
readonly work

cp tests/clients/typescript/* "$work"
if ! cmp --silent "$work/package.json" "$work/installed.json"; then
    npm install --prefix "$work" --no-audit --no-fund --loglevel error
    cp "$work/package.json" "$work/installed.json"
fi
if [[ ! -x $work/venv/bin/openapi-python-client || ! -x $work/venv/bin/mypy ]]; then
    python3 -m venv "$work/venv"
    "$work/venv/bin/pip" install --quiet --disable-pip-version-check 'openapi-python-client==0.29.*' 'mypy==2.*'
fi
readonly TOOLS=$work/node_modules/.bin

check "spectral finds nothing to say" \
    "$TOOLS/spectral" lint --ruleset tests/clients/spectral.yaml --fail-severity hint "$DOCUMENT"

check "a TypeScript client is made" "$TOOLS/openapi-typescript" "$DOCUMENT" --output "$work/schema.d.ts"
check "it compiles" "$TOOLS/tsc" --project "$work"

# The generator calls ruff, which it brings along, by its name.
python_client() {
    PATH=$work/venv/bin:$PATH openapi-python-client generate --path "$DOCUMENT" --output-path "$work/client" \
        --config tests/clients/python/config.yml --overwrite --fail-on-warning
}
check "a Python client is made" python_client
cp tests/clients/python/main.py "$work/client/main.py"
type_check() { (cd "$work/client" && "$work/venv/bin/mypy" --strict --no-error-summary main.py); }
check "its types are right" type_check

serve "$TARGET_DIR"
check "the TypeScript client calls the service" node "$work/main.js" "http://127.0.0.1:$port"
check "the evaluation bar moves" node tests/clients/evaluation_bar.mjs "http://127.0.0.1:$port"
check "the Python client calls the service" "$work/venv/bin/python" "$work/client/main.py" "http://127.0.0.1:$port"
summary
