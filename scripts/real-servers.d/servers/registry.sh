# shellcheck shell=bash disable=SC2154

program_registry() { from_debian docker-registry docker-registry registry; }

launch_registry() { # program
  cp "$parts/registry.yml" "$state/registry/"
  # In memory: 125 repositories are a few thousand files.
  launch registry env REGISTRY_STORAGE=inmemory OTEL_TRACES_EXPORTER=none "$1" serve registry.yml
}
await_registry() {
  await registry "tell its port" port_in_log registry '.*listening on 127\.0\.0\.1:([0-9]+).*'
  local base=http://127.0.0.1:$port
  await registry "answer" answers "$base/v2/"
  seed registry push-images.py "$base"
  publish registry "$base"
}
