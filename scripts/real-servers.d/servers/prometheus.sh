# shellcheck shell=bash disable=SC2154

program_prometheus() { from_debian prometheus prometheus; }

launch_prometheus() { # program
  local data=$state/prometheus promtool
  promtool=$(dirname "$1")/promtool
  cp "$parts/prometheus.yml" "$data/"
  "$promtool" tsdb create-blocks-from openmetrics "$parts/metrics.openmetrics" "$data/tsdb" >"$data/promtool.log" 2>&1 \
    || { cat "$data/promtool.log" >&2; die "promtool could not write the known samples"; }
  # The samples are years old: nothing may be retired.
  launch prometheus "$1" --config.file=prometheus.yml --storage.tsdb.path=tsdb --storage.tsdb.retention.time=100y \
    --web.listen-address=127.0.0.1:0 --log.level=info --web.external-url=http://prometheus.example
}
await_prometheus() {
  await prometheus "tell its port" port_in_log prometheus '.*msg="?Listening on"? address=[^ ]*:([0-9]+).*'
  local base=http://127.0.0.1:$port
  printf '[{"targets":["127.0.0.1:%s"],"labels":{"role":"self"}},{"targets":["127.0.0.1:1"],"labels":{"role":"nobody"}}]\n' \
    "$port" >"$state/prometheus/targets.new"
  mv "$state/prometheus/targets.new" "$state/prometheus/targets.json"
  await prometheus "scrape both targets" both_targets_judged "$base"
  publish prometheus "$base"
}
both_targets_judged() { # base
  answer_has "$1/api/v1/targets?state=active" '"health":"up"' && answer_has "$1/api/v1/targets?state=active" '"health":"down"'
}
