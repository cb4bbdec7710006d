"""Fills Kinto: seed-kinto.py URL USER PASSWORD.

Bucket `shop` with the collections `orders` (270 records, of which every one whose number ends in 5 up to 195 is deleted
again: 250 records and 20 tombstones) and `customers` (12 records). `last_modified` of order N is N seconds after
2024-01-01T00:00:00Z; of its tombstone, 1,000 + N seconds.
"""

import sys

from client import Client, basic

START = 1704067200000


def batch(client, requests):
    for first in range(0, len(requests), 100):
        answer = client.json("POST", "/v1/batch", {"requests": requests[first : first + 100]})
        refused = [one for one in answer["responses"] if one["status"] >= 400]
        if refused:
            raise SystemExit(f"refused: {refused[0]}")


def main(base, user, password):
    client = Client(base, {"Authorization": basic(user, password)})
    client.json("PUT", "/v1/buckets/shop", {})
    records = "/buckets/shop/collections/{}/records/{}"
    batch(client, [{"method": "PUT", "path": f"/buckets/shop/collections/{name}"} for name in ("customers", "orders")])
    batch(
        client,
        [
            {
                "method": "PUT",
                "path": records.format("customers", f"customer-{number:02}"),
                "body": {"data": {"name": f"Customer {number}", "last_modified": START + number * 1000}},
            }
            for number in range(1, 13)
        ],
    )
    orders = range(1, 271)
    batch(
        client,
        [
            {
                "method": "PUT",
                "path": records.format("orders", f"order-{number:03}"),
                "body": {
                    "data": {
                        "number": number,
                        "customer": f"customer-{1 + number % 12:02}",
                        "amount": f"{number}.{number % 10}0",
                        "paid": number % 3 == 0,
                        "last_modified": START + number * 1000,
                    }
                },
            }
            for number in orders
        ],
    )
    batch(
        client,
        [
            {
                "method": "DELETE",
                "path": records.format("orders", f"order-{number:03}")
                + f"?last_modified={START + 1_000_000 + number * 1000}",
            }
            for number in orders
            if number % 10 == 5 and number < 200
        ],
    )


main(*sys.argv[1:])
