# shellcheck shell=bash disable=SC2154

program_oauth() { from_pypi requirements; }

launch_oauth() { # python
  launch oauth env OAUTH_SECRET="$password-oauth" OAUTH_REFRESH_TOKEN=first-refresh-token PYTHONPATH="$parts" \
    PYTHONDONTWRITEBYTECODE=1 "$1" -m gunicorn --bind 127.0.0.1:0 --workers 1 --threads 4 --graceful-timeout 1 \
    --worker-tmp-dir "$state/oauth" oauth:app
}
await_oauth() {
  await oauth "tell its port" port_in_log oauth '.*Listening at: http://127\.0\.0\.1:([0-9]+).*'
  await oauth "answer" answers "http://127.0.0.1:$port/health"
  publish oauth "http://127.0.0.1:$port" "OAUTH_SECRET=$password-oauth" OAUTH_REFRESH_TOKEN=first-refresh-token
}
