# Sourced by ../real-servers: how the servers' programs are had.
# shellcheck shell=bash disable=SC2154

as_root() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo -n "$@"; fi; }

missing() { # server, reason
  [ "${REACTOR_REQUIRE_REAL_SERVERS:-}" != 1 ] || die "$1 is required but $2"
  say "without $1: $2"
}

# Unpacks Debian packages into one folder of the cache, unless they are there.
unpacked() { # folder, package…
  local folder=$cache/$1
  shift
  [ ! -e "$folder/complete" ] || return 0
  command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || return 1
  local fetch archive
  fetch=$(mktemp -d "$cache/fetch.XXXXXX")
  chmod 755 "$fetch"
  mkdir "$fetch/tree"
  if ! (cd "$fetch" && { apt-get download -q "$@" || { as_root apt-get update -q && apt-get download -q "$@"; }; }) \
    >"$folder.log" 2>&1; then
    rm -rf "$fetch"
    return 1
  fi
  for archive in "$fetch"/*.deb; do
    dpkg-deb -x "$archive" "$fetch/tree" || { rm -rf "$fetch"; return 1; }
  done
  : >"$fetch/tree/complete"
  rm -rf "$folder" && mv "$fetch/tree" "$folder"
  rm -rf "$fetch"
}

# Prints the path of a program on PATH or from a Debian package.
from_debian() { # package, program, other name on PATH…
  local package=$1 program=$2 name found
  shift
  for name in "$@"; do
    if found=$(command -v "$name"); then printf '%s\n' "$found"; return; fi
  done
  unpacked "$package" "$package" && [ -x "$cache/$package/usr/bin/$program" ] || return 1
  printf '%s\n' "$cache/$package/usr/bin/$program"
}

# Prints what would be installed for these packages: themselves and what they need that is not there.
lacking() { # package…
  local plan
  plan=$(apt-get -q -s --no-install-recommends install "$@" </dev/null) || return 1
  sed -nE 's/^Inst ([^ ]+) .*/\1/p' <<<"$plan"
}

# Prints the Python of a virtual environment that holds what a list names; a changed list makes a new one.
from_pypi() { # list
  command -v python3 >/dev/null || return 1
  local list=$parts/$1.txt venv
  venv=$cache/venv-$(cksum "$list" | cut -d' ' -f1)
  if [ ! -e "$venv/complete" ]; then
    rm -rf "$venv"
    if ! { python3 -m venv "$venv" || { rm -rf "$venv" && as_root apt-get install -y -q python3-venv && python3 -m venv "$venv"; }; } \
      >"$cache/pypi-$1.log" 2>&1; then return 1; fi
    "$venv/bin/python" -m pip install -q --disable-pip-version-check -r "$list" >>"$cache/pypi-$1.log" 2>&1 || return 1
    : >"$venv/complete"
  fi
  printf '%s\n' "$venv/bin/python"
}

# The tools of this script itself; on a bare Debian they are installed.
need_tools() {
  local missing=()
  command -v curl >/dev/null || missing+=(curl)
  command -v python3 >/dev/null || missing+=(python3 python3-venv)
  [ ${#missing[@]} -gt 0 ] || return 0
  if command -v apt-get >/dev/null; then
    { as_root apt-get install -y -q --no-install-recommends "${missing[@]}" \
      || { as_root apt-get update -q && as_root apt-get install -y -q --no-install-recommends "${missing[@]}"; }; } \
      >"$cache/tools.log" 2>&1 </dev/null && return 0
  fi
  [ "${REACTOR_REQUIRE_REAL_SERVERS:-}" != 1 ] || die "these are required: ${missing[*]}"
  say "without any server: these are missing: ${missing[*]}"
  wanted=""
}

install_all() {
  mkdir -p "$cache"
  # Two runs at once must not unpack over each other.
  exec 9>"$cache/lock"
  if command -v flock >/dev/null; then flock -w 600 9 || die "another run has held $cache/lock for ten minutes"; fi
  need_tools
  local server program found=""
  for server in $wanted; do
    if program=$("program_$server"); then
      found+="$server=$program"$'\n'
    else
      missing "$server" "it is not on PATH and could not be fetched (see $cache/*.log)"
    fi
  done
  exec 9>&-
  programs=$found
}
