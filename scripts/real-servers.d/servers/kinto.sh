# shellcheck shell=bash disable=SC2154

program_kinto() { from_pypi kinto; }

launch_kinto() { # python
  launch kinto "$1" -c 'import sys; from pyramid.scripts.pserve import main; sys.exit(main())' "$parts/kinto.ini"
}
await_kinto() {
  await kinto "tell its port" port_in_log kinto '.*Serving on http://127\.0\.0\.1:([0-9]+).*'
  local base=http://127.0.0.1:$port
  seed kinto seed-kinto.py "$base" "$user" "$password-kinto"
  publish kinto "$base" "KINTO_USER=$user" "KINTO_PASSWORD=$password-kinto"
}
