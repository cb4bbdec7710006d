# shellcheck shell=bash disable=SC2154

# Prints the folder of the programs. The package is the one of the table tests.
program_postgres() {
  postgres_programs && return
  "$here/setup" postgresql >"$cache/postgres.log" 2>&1 || return 1
  postgres_programs
}
postgres_programs() {
  local folder
  folder=$(find /usr/lib/postgresql -mindepth 2 -maxdepth 2 -name bin 2>/dev/null | sort -V | tail -n 1)
  [ -n "$folder" ] && [ -x "$folder/postgres" ] && printf '%s\n' "$folder"
}

# It refuses to be root, and another user cannot enter the folder of the state: so its data has a folder of its own.
postgres_owner=()
[ "$(id -u)" -ne 0 ] || postgres_owner=(setpriv --reuid=postgres --regid=postgres --clear-groups)

launch_postgres() { # folder of the programs
  local folder port
  folder=$(mktemp -d "${TMPDIR:-/tmp}/reactor-postgres.XXXXXX")
  printf '%s\n' "$folder" >>"$state/folders"
  printf '%s\n' "$password-postgres" >"$folder/password"
  [ "$(id -u)" -ne 0 ] || chown -R postgres "$folder"
  (cd "$folder" && "${postgres_owner[@]}" "$1/initdb" -D "$folder/data" -U "$user" -A scram-sha-256 -N \
    --pwfile="$folder/password") >"$state/postgres.init" 2>&1 \
    || { cat "$state/postgres.init" >&2; return 1; }
  rm "$folder/password"
  port=$(free_ports 1)
  printf '%s\n' "$port" >"$state/postgres.port"
  # The server's own shell expands the arguments, in a folder that it may enter.
  # shellcheck disable=SC2016
  launch postgres "$(command -v bash)" -c 'cd "$1" && shift && exec "$@"' - "$folder" \
    "${postgres_owner[@]}" "$1/postgres" -D "$folder/data" -c listen_addresses=127.0.0.1 -c "port=$port" \
    -c unix_socket_directories= -c fsync=off
}
await_postgres() { # folder of the programs
  await_on_free_port postgres "$1" postgres_is_ready "$1"
  local url
  url=postgresql://$user:$password-postgres@127.0.0.1:$(cat "$state/postgres.port")/postgres
  "$1/psql" -X -q -v ON_ERROR_STOP=1 -f "$parts/warehouse.sql" "$url" >>"$state/postgres.log" 2>&1 \
    || failed postgres "did not take its records"
  publish postgres "127.0.0.1:$(cat "$state/postgres.port")" "WAREHOUSE_URL=$url"
}
postgres_is_ready() { "$1/pg_isready" -q -h 127.0.0.1 -p "$(cat "$state/postgres.port")"; }
