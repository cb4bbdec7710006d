# Sourced by the scripts here: says what is going on in one line, keeps the long output in a log, shows it on failure.
# shellcheck shell=bash

logs=${REACTOR_LOGS:-.build/logs}

# step TITLE LOG COMMAND…  (COMMAND's output goes to $logs/LOG, or to its end where LOG has a + before it; its last
# lines of interest are shown when it fails)
step() {
  local title=$1 log=$logs/${2#+}
  mkdir -p "$logs"
  case $2 in +*) ;; *) : >"$log" ;; esac
  shift 2
  local began=$SECONDS status=0
  if [ -t 2 ]; then
    step_watched "$title" "$log" "$@" || status=$?
  else
    printf '%s …\n' "$title" >&2
    "$@" >>"$log" 2>&1 || status=$?
  fi
  if [ $status -eq 0 ]; then
    printf '%s: done in %d s\n' "$title" $((SECONDS - began)) >&2
  else
    printf '%s: failed (status %d) after %d s; the whole log is %s\n' "$title" $status $((SECONDS - began)) "$log" >&2
    # What passed is not what one looks for, and a failed test may be far from the end.
    grep -avE '^(◇|✔|􀟈|􁁛|\[[0-9]+/[0-9]+\] |Test (Case|Suite) .*(started|passed))' "$log" | tail -n 100 >&2 || true
    failed_tests "$log" >&2
  fi
  return $status
}

# failed_tests LOG  (what Swift Testing says of each issue, with what it saw; nothing where none failed)
failed_tests() {
  grep -aE '^(✘|↳|􀢄)' "$1" | cut -c 1-600 | head -n 120 || true
}

# The same on a terminal: one line that tells the time and the newest line of the log, gone at the end.
step_watched() {
  local title=$1 log=$2
  shift 2
  (
    trap - INT
    exec "$@"
  ) >>"$log" 2>&1 </dev/null &
  local pid=$! began=$SECONDS width
  # shellcheck disable=SC2064
  trap "kill $pid 2>/dev/null; wait $pid 2>/dev/null; printf '\r\033[K' >&2; exit 130" INT TERM
  while kill -0 "$pid" 2>/dev/null; do
    width=$(tput cols 2>/dev/null || echo 80)
    printf '\r\033[K%.*s' $((width - 1)) "$title … $((SECONDS - began)) s  $(tail -n 1 "$log" 2>/dev/null | tr -d '\r\033')" >&2
    sleep 0.5
  done
  trap - INT TERM
  printf '\r\033[K' >&2
  wait "$pid"
}

# The options of every debug build here. They compile as a plain `swift build` does, so that neither begins anew.
# shellcheck disable=SC2034
debugging=(--explicit-target-dependency-import-check error)
