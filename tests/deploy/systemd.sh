#!/usr/bin/env bash
# The unit of deploy/systemd: that systemd understands it, how far it is locked in, and that the service needs nothing
# which its filters forbid.
#
#   tests/deploy/systemd.sh
#
# Needs the packages systemd, strace and curl; no systemd has to run. With CENTIPAWN naming a binary, that one is used
# instead of a debug build.
set -euo pipefail
cd "$(dirname "$0")/../.."
source tests/deploy/checks.sh
source tests/deploy/tools.sh
require systemd systemd-analyze
require strace strace
require curl curl

readonly UNIT=deploy/systemd/centipawn.service
# On the scale of `systemd-analyze security`, times ten: 12 is the least for a service that listens on the network as one
# binary of the machine, and an unprotected one has 96.
readonly EXPOSURE=12

work=$(mktemp -d)
service=""
clean_up() {
    [[ -z $service ]] || kill "$service" 2>/dev/null || true
    rm -rf "$work"
}
trap clean_up EXIT

find_binary

# The unit as it would be installed, but for the place of the binary, and for what systemd only knows from version 254 on.
is_understood() {
    local unit=$work/centipawn.service newer='^$'
    [[ $(systemd-analyze --version | awk 'NR == 1 { print $2 }') -ge 254 ]] || newer='^(RestartSteps|RestartMaxDelaySec)='
    sed -E -e "s|/usr/local/bin/centipawn|$(realpath "$CENTIPAWN")|" -e "/$newer/d" "$1" >"$unit"
    systemd-analyze verify --man=no --recursive-errors=yes "$unit"
}

is_locked_in() { systemd-analyze security --offline=true --no-pager --threshold="$EXPOSURE" "$1"; }

# The value of a key of the unit, of its last line if it has several.
unit_key() { sed -n "s/^$1=//p" "$UNIT" | tail -n 1; }

# system_calls SET: the names in a set of systemd's, of sets in it too.
system_calls() {
    local entry
    systemd-analyze syscall-filter "$1" | sed -n 's/^ *//; /^[a-z@]/p' | grep --invert-match "^$1$" |
        while read -r entry; do
            if [[ $entry == @* ]]; then system_calls "$entry"; else printf '%s\n' "$entry"; fi
        done
}

# reload PID: what the unit does to reload, with the service as the process, under strace as that is.
reload() {
    local command
    # Split at spaces, as systemd does.
    read -ra command <<<"$(unit_key ExecReload)"
    strace --follow-forks --output "$work/trace-of-reload" "${command[@]/\$MAINPID/$1}"
}

# A life of the service under strace: every kind of work, a reload, SIGTERM while a search runs. The system calls of all this are in
# $work/calls.
live() {
    local port
    port=$(free_port)
    strace --follow-forks --output "$work/trace" "$CENTIPAWN" serve --listen "127.0.0.1:$port" --log-format json 2>"$work/log" &
    local tracer=$!
    wait_until_ready "$port" || return 1
    service=$(pgrep --parent "$tracer")
    local base=http://127.0.0.1:$port
    curl --silent --show-error --fail --output /dev/null "$base/v1/evaluate" "$base/metrics" "$base/v1/best-move?depth=6"
    curl --silent --show-error --fail --output /dev/null --json '[{"moves": "e4"}, {"moves": "d4", "depth": 5}]' \
        "$base/v1/evaluate/batch"
    # There is nothing to read again, and that is no reason to end.
    reload "$service" || return 1
    curl --silent --show-error --fail --output "$work/last.json" "$base/v1/best-move?movetime=2000" &
    local last=$!
    sleep 0.5
    kill -TERM "$service"
    wait "$last" || return 1
    wait "$tracer" || return 1
    service=""
    cat "$work/trace-of-reload" >>"$work/trace"
    # A line is `pid call(...`, or `pid <... call resumed>`.
    sed -nE 's/^[0-9]+ +([a-z_0-9]+)\(.*/\1/p' "$work/trace" | sort -u >"$work/calls"
    grep --quiet -E '^[0-9]+ +--- SIGHUP ' "$work/trace" || { echo "it was sent no SIGHUP" && return 1; }
    # A trace that misses these is none.
    [[ $(grep -c -x -e accept4 -e clone3 -e execve -e futex -e kill -e mmap -e socket "$work/calls") -eq 7 ]]
}

only_allowed_calls() {
    { system_calls @system-service && system_calls @default; } | sort -u >"$work/allowed"
    { system_calls @privileged && system_calls @resources; } | sort -u >"$work/forbidden"
    # As systemd reads the unit's two lines: the first allows, the second takes away again. What is refused is an error
    # that the service sees, not its end; `execve` is strace's own.
    comm -23 "$work/calls" <(comm -23 "$work/allowed" "$work/forbidden") | tee "$work/refused"
    [[ ! -s $work/refused ]]
}

never_writes_code() { ! grep -E '(mmap|mprotect|pkey_mprotect)\(.*PROT_WRITE\|PROT_EXEC' "$work/trace"; }
opens_no_other_sockets() { ! grep -E ' socket\(' "$work/trace" | grep --invert-match -E 'AF_INET6?,'; }
# Of /proc it sees itself alone (ProcSubset=pid); what it says of itself in its metrics must come without the machine's clocks there.
does_without_what_is_hidden() { ! grep -E 'open(at)?\(.*"/proc/(stat|uptime)"' "$work/trace"; }
writes_no_file() { ! grep -E 'open(at)?\(.*O_(WRONLY|RDWR|CREAT)' "$work/trace" | grep --invert-match '= -1 '; }

check "systemd understands the unit" is_understood "$UNIT"
sed 's/^ProtectSystem=strict/ProtectSystem=stricter/' "$UNIT" >"$work/misspelt.service"
misspelling_is_seen() { ! is_understood "$work/misspelt.service"; }
check "a misspelt value is seen" misspelling_is_seen
check "its exposure is at most 1.2 of 10" is_locked_in "$UNIT"
sed '/^SystemCallFilter=/d' "$UNIT" >"$work/open.service"
openness_is_seen() { ! is_locked_in "$work/open.service"; }
check "without its filter of system calls it would be more" openness_is_seen

expect "the first filter is the one that is checked" 2 \
    "$(grep -c -x -e 'SystemCallFilter=@system-service' -e 'SystemCallFilter=~@privileged @resources' "$UNIT")"
check "the default drain ends before systemd's patience" test "$(unit_key TimeoutStopSec)" -ge 45

check "the service lives, is told to reload and ends under strace" live
check "its system calls are allowed" only_allowed_calls
check "it makes no memory that is written and executed" never_writes_code
check "it opens no socket but of IP" opens_no_other_sockets
check "it writes no file" writes_no_file
check "it does without what is hidden of /proc" does_without_what_is_hidden
summary
