"""Fills etcd and then asks for a login: seed-etcd.py URL PASSWORD.

400 keys `/shop/orders/0001`… with JSON values and three below `/shop/settings/`. User `root` may do everything, user
`reader` may read what begins with `/shop/orders/`; both have the PASSWORD.
"""

import base64
import json
import sys

from client import Client


def text(value):
    return base64.b64encode(value.encode()).decode()


def main(base, password):
    client = Client(base)
    keys = {
        f"/shop/orders/{number:04}": json.dumps({"number": number, "state": ["open", "paid", "sent"][number % 3]})
        for number in range(1, 401)
    }
    keys |= {"/shop/settings/currency": "EUR", "/shop/settings/name": "Käse & 茶", "/shop/settings/open": "true"}
    puts = [{"requestPut": {"key": text(key), "value": text(value)}} for key, value in keys.items()]
    for first in range(0, len(puts), 100):
        client.json("POST", "/v3/kv/txn", {"success": puts[first : first + 100]})
    for user, role in (("root", "root"), ("reader", "reader")):
        client.json("POST", "/v3/auth/role/add", {"name": role})
        client.json("POST", "/v3/auth/user/add", {"name": user, "password": password})
        client.json("POST", "/v3/auth/user/grant", {"user": user, "role": role})
    readable = {"permType": "READ", "key": text("/shop/orders/"), "range_end": text("/shop/orders0")}
    client.json("POST", "/v3/auth/role/grant", {"name": "reader", "perm": readable})
    client.json("POST", "/v3/auth/enable", {})


main(*sys.argv[1:])
