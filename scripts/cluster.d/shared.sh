# shellcheck shell=bash disable=SC2154
# An array of Slurm whose tasks take part in one run with shared state. In the middle one of them is requeued, and one is
# killed; both are started again when the others have ended the run.

# postgres: starts PostgreSQL and sets REACTOR_STATE. It refuses to be root.
postgres() {
  local programs port folder=$work/postgres password=state-$RANDOM$RANDOM owner=()
  "$here/scripts/setup" postgresql
  programs=$(find /usr/lib/postgresql -mindepth 2 -maxdepth 2 -name bin | sort -V | tail -n 1)
  [ -x "$programs/postgres" ] || die "PostgreSQL is not in /usr/lib/postgresql"
  psql=$programs/psql
  mkdir -m 700 "$folder"
  printf '%s\n' "$password" >"$folder/password"
  if [ "$(id -u)" -eq 0 ]; then
    owner=(setpriv --reuid=postgres --regid=postgres --clear-groups)
    chown -R postgres: "$folder"
  fi
  port=$(free_ports 1)
  (cd "$folder" && "${owner[@]}" "$programs/initdb" -D data -U reactor -A scram-sha-256 -N -E UTF8 --locale=C.UTF-8 \
    --pwfile=password) >"$work/postgres.log" 2>&1 || die "initdb failed: $(tail -n 3 "$work/postgres.log")"
  (cd "$folder" && exec "${owner[@]}" "$programs/postgres" -D data -c listen_addresses=127.0.0.1 -c "port=$port" \
    -c unix_socket_directories= -c fsync=off) >>"$work/postgres.log" 2>&1 &
  postgres=$!
  pids+=("$postgres")
  for _ in $(seq 200); do
    "$programs/pg_isready" -q -h 127.0.0.1 -p "$port" && break
    sleep 0.05
  done
  export REACTOR_STATE=postgresql://reactor:$password@127.0.0.1:$port/postgres
  "$psql" -X -q -c '' "$REACTOR_STATE" || die "PostgreSQL did not start: $(tail -n 3 "$work/postgres.log")"
}

shared() { python3 "$here/scripts/cluster.d/shared.py" "$@"; }

# status: how far the run is, in JSON.
status() { "$reactor" status "slurm-$array" --format json; }

# wait_for SECONDS COMMAND…: until the command succeeds.
wait_for() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    [ "$SECONDS" -lt "$end" ] || return 1
    sleep 0.2
  done
}

# A run that has not begun has no status.
has_ended() { [ "$(status 2>/dev/null | shared ended 2>/dev/null || echo 0)" -ge "$1" ]; }
# tasks: the tasks of the array that are in the queue, as `TASK STATE`.
tasks() { squeue --noheader --array --jobs "$array" --format '%K %T' 2>/dev/null; }
# Whether the queue has no task, except those that were named.
is_left() { ! tasks | grep -qvE "^(${1:-none}) "; }
is_pending() { tasks | grep -qE "^$1 PENDING"; }
is_gone() { ! kill -0 "$1" 2>/dev/null; }
has_state() { scontrol show job "${array}_$1" | grep -q "JobState=$2 "; }

shared_failed() {
  squeue --jobs "$array" >&2 || true
  tail -n 20 shared-"$array"-*.log >&2 || true
  die "$1"
}

# busiest: sets the task that has most flows in hand, and the id of its process.
busiest() {
  pid=$(status | shared busiest)
  task=$(tr '\0' '\n' <"/proc/$pid/environ" | sed -n 's/^SLURM_ARRAY_TASK_ID=//p')
}

run_shared_array() {
  local pid task first second report requests began=$SECONDS
  postgres
  export WAREHOUSE_URL=$REACTOR_STATE
  : >"$work/requests"
  # Not by the function, whose process would be a shell.
  python3 "$here/scripts/cluster.d/shared.py" serve "$work/requests" >"$work/shared.announcement" \
    2>"$work/shared.log" &
  pids+=($!)
  wait_for 10 test -s "$work/shared.announcement" || die "the server did not start: $(cat "$work/shared.log")"
  mkdir -p "$work/shared/flows"
  cd "$work/shared" || die "there is no folder $work/shared"
  shared flows "$(sed -n 's/^listening on //p' "$work/shared.announcement")" >flows/shared.yaml
  "$reactor" export slurm --shared --tasks 4 -s 'path:flows' --folder "$PWD" -o job.slurm
  bash -n job.slurm
  # A process that is killed does not give its flows back: they wait for the end of its lease.
  export REACTOR_LEASE=5s
  array=$(cd / && sbatch --parsable "$OLDPWD/job.slurm")
  wait_for 60 has_ended 66 || shared_failed "a third of the flows did not end"

  # Slurm ends a task that is requeued with SIGTERM: it ends its flows, or gives them back.
  busiest
  first=$task
  scontrol requeue "${array}_$first"
  : >"$work/hand"
  until is_gone "$pid"; do status | shared running "$pid" >>"$work/hand"; done
  wait_for 10 is_pending "$first" || shared_failed "task $first was requeued and does not wait"

  # Another one dies with its flows, as where memory or a node fails, and is requeued by hand.
  busiest
  second=$task
  status | shared running "$pid" >"$work/lost"
  scancel --signal=KILL --batch "${array}_$second"
  wait_for 10 is_gone "$pid" || shared_failed "task $second was not killed"
  status | shared running "$pid" >>"$work/lost"
  [ -s "$work/lost" ] || shared_failed "task $second had no flows in hand"
  cat "$work/lost" >>"$work/hand"
  wait_for 10 has_state "$second" FAILED || shared_failed "task $second did not fail"
  scontrol requeue "${array}_$second"
  wait_for 10 is_pending "$second" || shared_failed "task $second was requeued and does not wait"

  # The others end the run without them.
  wait_for 60 is_left "$first|$second" || shared_failed "the run did not end without the tasks that were requeued"
  for task in "$first" "$second"; do
    is_pending "$task" || shared_failed "task $task was requeued and did not wait for the end of the run"
  done
  "$reactor" report --run "slurm-$array" --report json="$work/run.json" >"$work/run.txt" \
    || shared_failed "the run did not pass"
  has_ended 200 || shared_failed "flows have not ended: $(status)"
  [ -s "shared-$array.json" ] || shared_failed "the array has not written the report of the run"
  cp "shared-$array.json" "$work/whole.json"
  requests=$(wc -l <"$work/requests")

  # When they are started again, nothing is left to do.
  for task in "$first" "$second"; do scontrol update "JobId=${array}_$task" StartTime=now; done
  wait_for 90 is_left || shared_failed "the array did not end"
  for task in "$first" "$second"; do
    scontrol show job "${array}_$task" >"$work/task"
    [ "$(grep -cE 'JobState=COMPLETED|Restarts=1 .*ExitCode=0:0' "$work/task")" -eq 2 ] \
      || shared_failed "task $task was requeued and did not pass: $(tr -s ' \n' ' ' <"$work/task")"
    [ "$(tail -n 1 "shared-$array-$task.log")" = "run slurm-$array has ended: nothing is left to do" ] \
      || shared_failed "task $task was requeued and does not say that nothing is left to do"
  done
  [ "$(wc -l <"$work/requests")" -eq "$requests" ] || shared_failed "tasks that were requeued have sent requests"
  cmp "shared-$array.json" "$work/whole.json" || shared_failed "the report was written again"
  [ "$(cat shared-"$array"-*.log | grep -c "^run slurm-$array, ")" -eq 1 ] \
    || shared_failed "not exactly one task has reported the run"
  if grep -rqF "${REACTOR_STATE%@*}" .; then shared_failed "the password of the state was written"; fi

  "$psql" -X -A -t -q -v ON_ERROR_STOP=1 "$REACTOR_STATE" >"$work/rows" <<'SQL' || die "the tables cannot be read"
SELECT format('SELECT %L, id FROM %I', relname, relname) FROM pg_class
WHERE relkind = 'r' AND relname ~ '^(parent|child)_' \gexec
SQL
  for report in "$work/whole.json" "$work/run.json"; do
    shared check "$work/requests" "$work/hand" "$report" "$work/rows" >"$work/found" \
      || shared_failed "the run is not whole"
  done
  say "an array of 4 ran 200 flows with shared state, once and into one report, although task $first was requeued" \
    "and task $second was killed: $(cat "$work/found") ($((SECONDS - began)) s)"
}
