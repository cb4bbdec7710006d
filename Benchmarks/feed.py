#!/usr/bin/env python3
"""A small server for the benchmarks: GET /N gives N records. usage: feed.py FOLDER

Prints `listening on http://127.0.0.1:PORT`. Each response is made once, at its first request, as a file in FOLDER and then
sent by the kernel, so that the server is not what is measured.
"""

import http.server
import os
import pathlib
import sys
import threading

BATCH = 10_000


def record(number):
    note = ("null", '"ok"', '"two\\nlines"', '"p\\u00e4ck"')[number % 4]
    return (
        f'{{"id":{number},"sku":"SKU-{number % 1000:04}","amount":"{number % 10_000}.{number % 100:02}","ratio":{number % 97 / 8},'
        f'"paid":{"true" if number % 3 else "false"},"at":"2024-05-{number % 28 + 1:02}T12:00:00Z",'
        f'"address":{{"city":"K\u00f6ln","zip":"{number % 90_000 + 10_000}"}},"tags":["a","b"],"note":{note}}}')


class Feed(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    folder = pathlib.Path()
    making = threading.Lock()

    def do_GET(self):
        try:
            count = int(self.path.strip("/"))
        except ValueError:
            self.send_error(404)
            return
        with open(self.made(count), "rb") as file:
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(os.fstat(file.fileno()).st_size))
            self.end_headers()
            self.wfile.flush()
            self.connection.sendfile(file)

    def made(self, count):
        path = self.folder / f"{count}.json"
        with self.making:
            if not path.exists():
                with open(f"{path}.part", "w", encoding="utf-8") as file:
                    file.write(f'{{"total":{count},"data":[')
                    records = ""
                    for first in range(0, count, BATCH):
                        # Beyond a million the last batch is repeated: making records here takes longer than reading them.
                        if first < 10**6 or first + BATCH > count:
                            records = ",".join(record(n) for n in range(first, min(first + BATCH, count)))
                        file.write(("," if first else "") + records)
                    file.write("]}")
                os.rename(f"{path}.part", path)
        return path

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    # The default of five drops connections that come together, each of which is then tried again a second later.
    request_queue_size = 1024
    daemon_threads = True


if len(sys.argv) != 2:
    sys.exit(__doc__)
Feed.folder = pathlib.Path(sys.argv[1])
Feed.folder.mkdir(parents=True, exist_ok=True)
server = Server(("127.0.0.1", 0), Feed)
print(f"listening on http://127.0.0.1:{server.server_address[1]}", flush=True)
try:
    server.serve_forever()
except KeyboardInterrupt:
    pass
