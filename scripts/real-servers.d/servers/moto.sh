# shellcheck shell=bash disable=SC2154

program_moto() { from_pypi moto; }

launch_moto() { # python
  launch moto env NO_COLOR=1 "$1" -m moto.server -H 127.0.0.1 -p 0
}
await_moto() {
  await moto "tell its port" port_in_log moto '.*Running on http://127\.0\.0\.1:([0-9]+).*'
  local base=http://127.0.0.1:$port
  seed moto seed-moto.py "$base"
  publish moto "$base"
}
