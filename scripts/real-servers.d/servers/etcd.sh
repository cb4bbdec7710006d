# shellcheck shell=bash disable=SC2154

program_etcd() { from_debian etcd-server etcd; }

# Its gateway asks itself at the address that it was given, which port 0 is not.
launch_etcd() { # program
  local client=http://127.0.0.1
  client+=:$(free_ports 1)
  printf '%s\n' "$client" >"$state/etcd.address"
  rm -rf "$state/etcd/data"
  launch etcd "$1" --name shop --data-dir data --logger zap --log-outputs stderr --bcrypt-cost 4 \
    --heartbeat-interval 10 --election-timeout 100 \
    --listen-client-urls "$client" --advertise-client-urls "$client" --listen-peer-urls http://127.0.0.1:0 \
    --initial-advertise-peer-urls http://127.0.0.1:0 --initial-cluster shop=http://127.0.0.1:0
}
await_etcd() { # program
  await_on_free_port etcd "$1" etcd_is_healthy
  local base
  base=$(cat "$state/etcd.address")
  seed etcd seed-etcd.py "$base" "$password-etcd"
  publish etcd "$base" "ETCD_PASSWORD=$password-etcd"
}
etcd_is_healthy() { answer_has "$(cat "$state/etcd.address")/health" '"true"'; }
