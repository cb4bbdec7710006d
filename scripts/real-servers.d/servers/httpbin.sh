# shellcheck shell=bash disable=SC2154

program_httpbin() { from_pypi requirements; }

launch_httpbin() { # python
  launch httpbin "$1" -m gunicorn --bind 127.0.0.1:0 --workers 1 --threads 16 --graceful-timeout 1 --worker-tmp-dir "$state/httpbin" httpbin:app
}
await_httpbin() {
  await httpbin "tell its port" port_in_log httpbin '.*Listening at: http://127\.0\.0\.1:([0-9]+).*'
  await httpbin "answer" answers "http://127.0.0.1:$port/get"
  publish httpbin "http://127.0.0.1:$port"
}
