# shellcheck shell=bash disable=SC2154
# PowerDNS: the system's, or Debian's packages and the libraries that the system lacks.

# Prints the root below which PowerDNS is: the system's, or a folder with it and the libraries that the system lacks.
powerdns_root() {
  local needed=(pdns-server pdns-backend-sqlite3) program=usr/sbin/pdns_server
  if [ -x "/$program" ] && [ -r "/$powerdns_schema" ]; then echo /; return; fi
  if [ ! -e "$cache/pdns-server/complete" ]; then
    command -v apt-get >/dev/null || return 1
    if ! lacking "${needed[@]}" >"$cache/pdns-needs" 2>"$cache/pdns-needs.log"; then
      { as_root apt-get update -q && lacking "${needed[@]}" >"$cache/pdns-needs"; } >>"$cache/pdns-needs.log" 2>&1 || return 1
    fi
    local packages
    mapfile -t packages < <(grep -E '^(lib|pdns-)' "$cache/pdns-needs")
    unpacked pdns-server "${packages[@]}" || return 1
  fi
  [ -x "$cache/pdns-server/$program" ] && [ -r "$cache/pdns-server/$powerdns_schema" ] || return 1
  printf '%s\n' "$cache/pdns-server"
}
readonly powerdns_schema=usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql

program_powerdns() { powerdns_root; }

launch_powerdns() { # root
  local root=${1%/} data=$state/powerdns dns api modules
  read -r dns api < <(free_ports 2)
  printf 'http://127.0.0.1:%s\n' "$api" >"$state/powerdns.address"
  cp "$parts/pdns.conf" "$data/"
  rm -f "$data/zones.db"
  python3 -c 'import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(open(sys.argv[2], encoding="utf-8").read())' \
    "$data/zones.db" "$root/$powerdns_schema"
  modules=$(dirname "$(find "$root/usr/lib" -path '*/pdns/libgsqlite3backend.so' | head -n 1)")
  launch powerdns env LD_LIBRARY_PATH="${root:+$(dirname "$modules")}" "$root/usr/sbin/pdns_server" --config-dir=. \
    --module-dir="$modules" --local-port="$dns" --webserver-port="$api" --api-key="$password-powerdns"
}
await_powerdns() { # root
  await_on_free_port powerdns "$1" powerdns_answers
  local base
  base=$(cat "$state/powerdns.address")
  seed powerdns seed-powerdns.py "$base" "$password-powerdns"
  publish powerdns "$base" "POWERDNS_KEY=$password-powerdns"
}
powerdns_answers() {
  curl -fsS --max-time 2 -o /dev/null -H "X-API-Key: $password-powerdns" "$(cat "$state/powerdns.address")/api/v1/servers" 2>/dev/null
}
