"""Pushes five small images to a container registry through its HTTP API: push-images.py URL."""

import hashlib
import json
import sys
import urllib.parse
import urllib.request

IMAGES = {
    "library/alpine": ["3.19", "latest"],
    "shop/api": ["1.0.0", "1.1.0", "latest"],
    "shop/web": ["2024-01-01"],
    "tools/lint": ["stable"],
    "tools/notes-and_more": ["v1"],
}
MANIFEST = "application/vnd.docker.distribution.manifest.v2+json"


def send(method, url, body=b"", kind="application/octet-stream"):
    request = urllib.request.Request(url, data=body, method=method, headers={"Content-Type": kind})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return answer.headers


def push_blob(base, name, content):
    digest = "sha256:" + hashlib.sha256(content).hexdigest()
    upload = urllib.parse.urljoin(base, send("POST", f"{base}/v2/{name}/blobs/uploads/")["Location"])
    separator = "&" if "?" in upload else "?"
    send("PUT", upload + separator + "digest=" + urllib.parse.quote(digest), content)
    return digest


def main(base):
    for name, tags in IMAGES.items():
        layers = [f"{name} layer {number}\n".encode() * number for number in (1, 2)]
        config = json.dumps({"architecture": "amd64", "os": "linux", "image": name}).encode()
        manifest = {
            "schemaVersion": 2,
            "mediaType": MANIFEST,
            "config": {
                "mediaType": "application/vnd.docker.container.image.v1+json",
                "size": len(config),
                "digest": push_blob(base, name, config),
            },
            "layers": [
                {
                    "mediaType": "application/vnd.docker.image.rootfs.diff.tar.gzip",
                    "size": len(layer),
                    "digest": push_blob(base, name, layer),
                }
                for layer in layers
            ],
        }
        for tag in tags:
            send("PUT", f"{base}/v2/{name}/manifests/{tag}", json.dumps(manifest).encode(), MANIFEST)


main(sys.argv[1].rstrip("/"))
