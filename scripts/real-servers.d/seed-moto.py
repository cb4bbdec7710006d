"""Fills moto's AWS endpoints: seed-moto.py URL.

60 SSM parameters `/shop/setting-01`…, 60 secrets `shop/secret-01`… and a DynamoDB table `orders` with 60 items.
"""

import json
import sys

from client import Client


class Service:
    def __init__(self, client, name, target, version):
        self.client = client
        self.target = target
        # Nobody checks the signature, but the scope tells which service is meant.
        self.headers = {
            "Authorization": "AWS4-HMAC-SHA256 "
            f"Credential=EXAMPLE/20240101/us-east-1/{name}/aws4_request, SignedHeaders=host, Signature=0",
            "Content-Type": f"application/x-amz-json-{version}",
        }

    def call(self, action, **body):
        headers = {**self.headers, "X-Amz-Target": f"{self.target}.{action}"}
        self.client.send("POST", "/", json.dumps(body).encode(), headers)


def main(base):
    client = Client(base)
    numbers = range(1, 61)
    settings = Service(client, "ssm", "AmazonSSM", "1.1")
    for number in numbers:
        settings.call("PutParameter", Name=f"/shop/setting-{number:02}", Value=f"value {number}", Type="String")
    secrets = Service(client, "secretsmanager", "secretsmanager", "1.1")
    for number in numbers:
        # The token becomes the version's id, which is a key of the answers.
        token = f"{number:08}-0000-4000-8000-000000000000"
        name = f"shop/secret-{number:02}"
        secrets.call("CreateSecret", Name=name, SecretString=f"hidden {number}", ClientRequestToken=token)
    table = Service(client, "dynamodb", "DynamoDB_20120810", "1.0")
    table.call(
        "CreateTable",
        TableName="orders",
        KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}],
        BillingMode="PAY_PER_REQUEST",
    )
    puts = [
        {
            "PutRequest": {
                "Item": {
                    "id": {"S": f"order-{number:02}"},
                    "amount": {"N": f"{number}.25"},
                    "paid": {"BOOL": number % 2 == 0},
                    "tags": {"L": [{"S": "tea"}, {"S": f"batch-{number % 5}"}]},
                }
            }
        }
        for number in numbers
    ]
    for first in range(0, len(puts), 25):
        table.call("BatchWriteItem", RequestItems={"orders": puts[first : first + 25]})


main(*sys.argv[1:])
