"""What the seeding scripts share: requests over one connection, whose refusals end the script."""

import base64
import http.client
import json
import urllib.parse


def basic(user, password):
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


class Client:
    def __init__(self, base, headers=None):
        parts = urllib.parse.urlsplit(base)
        self.connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=10)
        self.headers = headers or {}

    def send(self, method, target, body=b"", headers=None):
        """The response's headers and bytes; TARGET is a path or a whole URL of the same server."""
        parts = urllib.parse.urlsplit(target)
        path = urllib.parse.urlunsplit(("", "", parts.path or "/", parts.query, ""))
        self.connection.request(method, path, body=body, headers={**self.headers, **(headers or {})})
        response = self.connection.getresponse()
        content = response.read()
        if response.status >= 400:
            raise SystemExit(f"{method} {target}: {response.status} {content[:300]!r}")
        return response.headers, content

    def json(self, method, target, value=None, headers=None):
        """Sends and reads JSON."""
        body = b"" if value is None else json.dumps(value).encode()
        _, content = self.send(method, target, body, {"Content-Type": "application/json", **(headers or {})})
        return json.loads(content) if content else None
