# shellcheck shell=bash disable=SC2154

program_influxdb() { from_debian influxdb influxd; }

launch_influxdb() { # program
  cp "$parts/influxdb.conf" "$state/influxdb/"
  launch influxdb "$1" run -config influxdb.conf
}
await_influxdb() {
  await influxdb "tell its port" port_in_log influxdb '.*msg="Listening on HTTP".* addr=127\.0\.0\.1:([0-9]+).*'
  local base=http://127.0.0.1:$port
  await influxdb "answer" answers "$base/ping"
  seed influxdb seed-influxdb.py "$base" "$password-influxdb"
  publish influxdb "$base" "INFLUXDB_PASSWORD=$password-influxdb"
}
