# shellcheck shell=bash disable=SC2154

program_pushgateway() { from_debian prometheus-pushgateway prometheus-pushgateway pushgateway; }

launch_pushgateway() { # program
  launch pushgateway "$1" --web.listen-address=127.0.0.1:0 --persistence.file=metrics --log.level=info
}
await_pushgateway() {
  await pushgateway "tell its port" port_in_log pushgateway '.*msg="?Listening on"? address=[^ ]*:([0-9]+).*'
  local base=http://127.0.0.1:$port job
  for job in nightly hourly; do
    curl -fsS --max-time 5 --data-binary "@$parts/pushgateway.metrics" "$base/metrics/job/$job/instance/shop" \
      >>"$state/pushgateway.log" 2>&1 || failed pushgateway "did not take its records"
  done
  publish pushgateway "$base"
}
