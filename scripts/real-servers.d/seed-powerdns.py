"""Fills PowerDNS: seed-powerdns.py URL KEY.

Zones `shop.example.` (120 address records `host-001`…, one text record), `empty.example.` and `2.0.192.in-addr.arpa.`
(20 pointers); each has also its SOA and NS record set: 123, 2 and 22 record sets.
"""

import sys

from client import Client


def record_set(name, kind, content):
    return {
        "name": name,
        "type": kind,
        "ttl": 300,
        "changetype": "REPLACE",
        "records": [{"content": content, "disabled": False}],
    }


def main(base, key):
    client = Client(base, {"X-API-Key": key})
    hosts = [record_set(f"host-{n:03}.shop.example.", "A", f"192.0.2.{n}") for n in range(1, 121)]
    hosts.append(record_set("about.shop.example.", "TXT", '"tea, \\"the good one\\""'))
    pointers = [record_set(f"{n}.2.0.192.in-addr.arpa.", "PTR", f"host-{n:03}.shop.example.") for n in range(1, 21)]
    for name, sets in (("shop.example.", hosts), ("empty.example.", []), ("2.0.192.in-addr.arpa.", pointers)):
        zone = {"name": name, "kind": "Native", "nameservers": ["ns1.shop.example."], "rrsets": sets}
        # Otherwise the serial is made of the day.
        zone["soa_edit_api"] = "INCREASE"
        client.json("POST", "/api/v1/servers/localhost/zones", zone)


main(*sys.argv[1:])
