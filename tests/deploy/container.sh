#!/usr/bin/env bash
# Builds the image of deploy/Containerfile and runs it, without a registry and without a container daemon.
#
#   tests/deploy/container.sh
#
# Needs root, the packages buildah, podman and runc, and curl. The build stage's base image cannot be pulled without a
# registry, so that stage is replaced: deploy/build-static, the command that it runs, runs here, on exactly the files
# that .dockerignore lets through. Everything after it is the Containerfile's own. With CENTIPAWN_STATIC naming a binary
# that deploy/build-static already made, that build is skipped.
set -euo pipefail
cd "$(dirname "$0")/../.."
source tests/deploy/checks.sh

require buildah buildah
require podman podman
require runc runc
require curl curl

readonly IMAGE=localhost/centipawn:test
readonly CONTAINER="centipawn-test-$$"
readonly IMAGE_LIMIT_BYTES=25000000
readonly GRACE_SECONDS=10

work=$(mktemp -d)
port=$(free_port)
storage=(--storage-driver vfs --root "$work/storage" --runroot "$work/run")

clean_up() {
    podman_ rm --force --time 1 "$CONTAINER" >/dev/null 2>&1 || true
    rm -rf "$work"
}
trap clean_up EXIT

buildah_() { buildah "${storage[@]}" "$@"; }
podman_() { podman "${storage[@]}" --runtime runc --cgroup-manager cgroupfs --events-backend file "$@"; }

# The files that the build stage's `COPY . .` receives, as a folder.
export_build_context() {
    printf 'FROM scratch\nCOPY . /\n' >"$work/context.Containerfile"
    buildah_ bud --quiet --isolation chroot --file "$work/context.Containerfile" --tag build-context . >/dev/null
    local container
    container=$(buildah_ from build-context)
    cp -a "$(buildah_ mount "$container")" "$1"
    buildah_ rm "$container" >/dev/null
}

build_static_binary() {
    mkdir -p "$work/build/out"
    export_build_context "$work/context"
    (cd "$work/context" && deploy/sbom "$work/build/out")
    if [[ -n ${CENTIPAWN_STATIC:-} ]]; then
        cp "$CENTIPAWN_STATIC" "$work/build/out/centipawn"
        return
    fi
    local target_dir="${CARGO_TARGET_DIR:-$PWD/target}/container"
    (cd "$work/context" && CARGO_TARGET_DIR="$target_dir" deploy/build-static "$work/build/out")
}

build_image() {
    buildah_ bud --quiet --isolation chroot --format docker --build-context "build=$work/build" \
        --build-arg VERSION=test --file deploy/Containerfile --tag "$IMAGE" . >/dev/null
}

# As strict as a cluster would run it: nothing writable, no capability, no new privileges, one core. Podman complains where there is
# no systemd to repeat the health check; it is run by hand below.
run_container() {
    podman_ run --detach --name "$CONTAINER" --network host --read-only --read-only-tmpfs=false --cap-drop all \
        --security-opt no-new-privileges --cpus 1 --ulimit nofile=1024:1024 --ulimit nproc=4096:4096 \
        --env "CENTIPAWN_LISTEN=127.0.0.1:$port" --env "CENTIPAWN_DRAIN_GRACE_SECONDS=$((GRACE_SECONDS / 2))" \
        "$IMAGE"
}

image_setting() { podman_ image inspect --format "$1" "$IMAGE"; }
container_setting() { podman_ inspect --format "$1" "$CONTAINER"; }
status_field() { awk -v name="$1:" '$1 == name { print $2; exit }' "/proc/$pid/status"; }

evaluate() {
    curl --silent --show-error --fail --header 'content-type: application/json' \
        --data '{"fen":"4k3/8/8/8/8/8/8/4K2Q w - - 0 1","evaluator":"count"}' "http://127.0.0.1:$port/v1/evaluate"
}

in_background_search() {
    curl --silent --output "$work/search.json" --write-out '%{http_code}' --header 'content-type: application/json' \
        --data '{"movetime":3000}' "http://127.0.0.1:$port/v1/best-move"
}

echo "building the static binary"
build_static_binary
check "the binary needs no shared library" bash -c "! ldd '$work/build/out/centipawn' 2>/dev/null | grep -q '=>'"
echo "building the image"
build_image

size=$(image_setting '{{.Size}}')
check "the image is under $IMAGE_LIMIT_BYTES bytes (it has $size)" test "$size" -lt "$IMAGE_LIMIT_BYTES"
expect "the image's user is a number and not root" 65532:65532 "$(image_setting '{{.Config.User}}')"
expect "the image checks its own health" '[CMD /centipawn healthcheck]' "$(image_setting '{{.Config.Healthcheck.Test}}')"
expect "the image says its licence" 'MIT OR Apache-2.0' \
    "$(image_setting '{{index .Config.Labels "org.opencontainers.image.licenses"}}')"
expect "the image exposes the default port" 'map[8080/tcp:{}]' "$(image_setting '{{.Config.ExposedPorts}}')"

# The files of the image, as a folder.
readonly FILES=$work/files
container=$(buildah_ from "$IMAGE")
cp -a "$(buildah_ mount "$container")" "$FILES"
buildah_ rm "$container" >/dev/null
expect "the image holds these files" "/centipawn /licenses/LICENSE-APACHE /licenses/LICENSE-MIT\
 /licenses/third-party-licences.txt /sbom.cdx.json" \
    "$(find "$FILES" -type f -printf '/%P\n' | LC_ALL=C sort | tr '\n' ' ' | sed 's/ $//')"
check "its bill of materials names what the binary's own messages name" tests/deploy/sbom.py "$FILES"

check "the container starts" run_container
check "the container gets ready" wait_until_ready "$port"
pid=$(container_setting '{{.State.Pid}}')
expect "the process is not root" 65532 "$(status_field Uid)"
expect "the process has no capability" 0000000000000000 "$(status_field CapEff)"
expect "the process can gain no privilege" 1 "$(status_field NoNewPrivs)"
check "the root file system is read-only" grep -Eq '^\S+ / \S+ ro[ ,]' "/proc/$pid/mounts"
expect "it has as many threads for connections as it may use cores" 1 "$(cat "/proc/$pid/task/"*/comm | grep -c '^http-')"
check "podman's health check passes" podman_ healthcheck run "$CONTAINER"
expect "the container counts as healthy" healthy "$(container_setting '{{.State.Health.Status}}')"
check "evaluate answers a queen's worth" bash -c "grep -q '\"cp\":900[,}]' <<<'$(evaluate)'"

in_background_search >"$work/search.status" &
search=$!
sleep 0.5
podman_ kill --signal TERM "$CONTAINER" >/dev/null
check "SIGTERM ends it within $GRACE_SECONDS seconds" wait_until_gone "$pid" "$GRACE_SECONDS"
wait "$search"
expect "the search that was running is answered" 200 "$(cat "$work/search.status")"
expect "its exit code is 0" 0 "$(podman_ wait "$CONTAINER")"
summary
