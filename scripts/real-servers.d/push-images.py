"""Fills a container registry through its HTTP API: push-images.py URL.

Five small images with layers, and `archive/000`…`archive/119` without any: 125 repositories.
"""

import hashlib
import json
import sys
import urllib.parse

from client import Client

IMAGES = {
    "library/alpine": ["3.19", "latest"],
    "shop/api": ["1.0.0", "1.1.0", "latest"],
    "shop/web": ["2024-01-01"],
    "tools/lint": ["stable"],
    "tools/notes-and_more": ["v1"],
}
MANIFEST = "application/vnd.docker.distribution.manifest.v2+json"


EMPTY = b"{}"
# Beyond what a registry lists in one response unless asked for more (100).
ARCHIVED = 120


def push_blob(client, name, content):
    digest = "sha256:" + hashlib.sha256(content).hexdigest()
    kind = {"Content-Type": "application/octet-stream"}
    upload = client.send("POST", f"/v2/{name}/blobs/uploads/", headers=kind)[0]["Location"]
    separator = "&" if "?" in upload else "?"
    client.send("PUT", upload + separator + "digest=" + urllib.parse.quote(digest), content, kind)
    return digest


def push_manifest(client, name, tag, config, digest, layers):
    manifest = {
        "schemaVersion": 2,
        "mediaType": MANIFEST,
        "config": {
            "mediaType": "application/vnd.docker.container.image.v1+json",
            "size": len(config),
            "digest": digest,
        },
        "layers": [
            {
                "mediaType": "application/vnd.docker.image.rootfs.diff.tar.gzip",
                "size": len(layer),
                "digest": push_blob(client, name, layer),
            }
            for layer in layers
        ],
    }
    client.send("PUT", f"/v2/{name}/manifests/{tag}", json.dumps(manifest).encode(), {"Content-Type": MANIFEST})


def main(base):
    client = Client(base)
    for name, tags in IMAGES.items():
        layers = [f"{name} layer {number}\n".encode() * number for number in (1, 2)]
        config = json.dumps({"architecture": "amd64", "os": "linux", "image": name}).encode()
        digest = push_blob(client, name, config)
        for tag in tags:
            push_manifest(client, name, tag, config, digest, layers)
    # One blob that all archived repositories share, so that each costs two requests.
    empty = push_blob(client, "archive/000", EMPTY)
    for number in range(ARCHIVED):
        name = f"archive/{number:03}"
        client.send("POST", f"/v2/{name}/blobs/uploads/?mount={empty}&from=archive/000")
        push_manifest(client, name, "final", EMPTY, empty, [])


main(sys.argv[1].rstrip("/"))
