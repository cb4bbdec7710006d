"""Fills InfluxDB and asks for a login from then on: seed-influxdb.py URL PASSWORD.

Database `shop` with `temperature` (tag room: attic, cellar; 250 points each, a minute apart from 2024-01-01T00:00:00Z)
and `sales` (300 points, 1.000000001 s apart, whose times in nanoseconds no double can hold). User `admin` may do
everything, `reader` may read; both have the PASSWORD.
"""

import sys
import urllib.parse

from client import Client, basic

START = 1704067200000000000
MINUTE = 60 * 1_000_000_000


def main(base, password):
    client = Client(base)

    def query(text):
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        _, content = client.send("POST", "/query", urllib.parse.urlencode({"q": text}).encode(), form)
        if b'"error"' in content:
            raise SystemExit(f"{text}: {content!r}")

    query(f"CREATE USER admin WITH PASSWORD '{password}' WITH ALL PRIVILEGES")
    client.headers = {"Authorization": basic("admin", password)}
    query("CREATE DATABASE shop")
    query(f"CREATE USER reader WITH PASSWORD '{password}'")
    query("GRANT READ ON shop TO reader")
    lines = [
        f"temperature,room={room} celsius={base_line + minute / 8} {START + minute * MINUTE}"
        for room, base_line in (("attic", 20), ("cellar", 11))
        for minute in range(250)
    ]
    lines += [
        f'sales count={number % 7}i,amount={number / 4},note="sale \\"{number}\\"" {START + number * 1_000_000_001}'
        for number in range(1, 301)
    ]
    client.send("POST", "/write?db=shop&precision=ns", "\n".join(lines).encode())


main(*sys.argv[1:])
