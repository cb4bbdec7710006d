# shellcheck shell=bash disable=SC2154

program_datasette() { from_pypi requirements; }

launch_datasette() { # python
  "$1" -c 'import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.executescript(open(sys.argv[2], encoding="utf-8").read()); c.commit()' \
    "$state/datasette/shop.db" "$parts/shop.sql"
  launch datasette "$1" -m datasette serve shop.db --host 127.0.0.1 --port 0
}
await_datasette() {
  await datasette "tell its port" port_in_log datasette '.*running on http://127\.0\.0\.1:([0-9]+).*'
  await datasette "answer" answers "http://127.0.0.1:$port/-/versions.json"
  publish datasette "http://127.0.0.1:$port"
}
