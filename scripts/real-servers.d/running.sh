# Sourced by ../real-servers: starting processes, waiting for them, and ending those that are ours.
# shellcheck shell=bash disable=SC2154

# When a process started: a pid alone may have been given to someone else since. One that has ended and only waits to be
# counted by its parent is none.
birth() { # pid
  if [ -r "/proc/$1/stat" ]; then
    local fields
    { fields=$(<"/proc/$1/stat"); } 2>/dev/null || return 0
    # The name before the parenthesis may hold anything.
    read -r -a fields <<<"${fields##*) }"
    [ "${fields[0]:-Z}" = Z ] || printf '%s\n' "${fields[19]}"
  else
    ps -o lstart= -p "$1" 2>/dev/null || true
  fi
}

launch() { # server, command…
  local server=$1
  shift
  (cd "$state/$server" && exec "$@") </dev/null >"$state/$server.log" 2>&1 9>&- &
  local pid=$!
  # Its end is ours to report, not the shell's.
  disown "$pid"
  printf '%s %s\n' "$pid" "$(birth "$pid")" >"$state/$server.pid"
}

alive() { # server
  local pid born
  [ -r "$state/$1.pid" ] || return 1
  read -r pid born <"$state/$1.pid"
  kill -0 "$pid" 2>/dev/null && [ "$(birth "$pid")" = "$born" ]
}

comes_to() { # server, command…: waits until it succeeds, within the bound, while the server lives
  local server=$1
  shift
  local deadline=$((SECONDS + start_seconds))
  until "$@"; do
    if ! alive "$server" || [ $SECONDS -ge $deadline ]; then return 1; fi
    sleep 0.05
  done
  # What answered may be another's.
  alive "$server"
}

await() { # server, what, command…
  local server=$1 what=$2
  shift 2
  comes_to "$server" "$@" || failed "$server" "did not $what"
}

failed() { # server, what
  sed "s/^/  $1: /" "$state/$1.log" >&2 || true
  die "$1 $2 within $start_seconds s"
}

# For the servers that cannot choose a port themselves: one that is free now is theirs, unless another is faster.
free_ports() { # how many
  python3 -c 'import socket, sys
held = [socket.create_server(("127.0.0.1", 0)) for _ in range(int(sys.argv[1]))]
print(*(one.getsockname()[1] for one in held))' "$1"
}

await_on_free_port() { # server, program, command…
  local server=$1 program=$2 _
  shift 2
  for _ in 1 2 3; do
    if comes_to "$server" answered_or_refused "$server" "$@" && ! port_was_taken "$server"; then return; fi
    port_was_taken "$server" || break
    end "$server"
    "launch_$server" "$program"
  done
  failed "$server" "did not answer"
}
answered_or_refused() { # server, command…
  port_was_taken "$1" || "${@:2}"
}
port_was_taken() { grep -qiE 'address already in use|unable to bind' "$state/$1.log"; }

seed() { # server, script, argument…
  local server=$1
  shift
  python3 -B "$parts/$1" "${@:2}" >>"$state/$server.log" 2>&1 || failed "$server" "did not take its records"
}

# Each server is given port 0 and tells in its log which one it got.
port_in_log() { # server, pattern with the port in its first group
  port=$(sed -nE "s#$2#\\1#p" "$state/$1.log" | head -n 1)
  [ -n "$port" ]
}

answers() { curl -fsS --max-time 2 -o /dev/null "$1" 2>/dev/null; }
answer_has() { curl -fsS --max-time 2 "$1" 2>/dev/null | grep -q "$2"; }

publish() { # server, address, name=value…
  {
    printf 'REACTOR_VAR_%s=%s\n' "$(printf '%s' "$1" | tr '[:lower:]' '[:upper:]')" "$2"
    [ $# -lt 3 ] || printf '%s\n' "${@:3}"
  } >"$state/$1.env"
}

end() { # server…
  local server pid tries
  for server in "$@"; do
    if alive "$server"; then
      read -r pid _ <"$state/$server.pid"
      kill -TERM "$pid" 2>/dev/null || true
    fi
  done
  for server in "$@"; do
    tries=0
    while alive "$server"; do
      tries=$((tries + 1))
      if [ $tries -eq 100 ]; then
        read -r pid _ <"$state/$server.pid"
        kill -KILL "$pid" 2>/dev/null || true
      fi
      [ $tries -lt 140 ] || break
      sleep 0.05
    done
  done
}
