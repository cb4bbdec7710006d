"""Prints the parts of the programs as SPDX 2.3 in JSON: what is linked in, what is linked, and what is loaded.

usage: sbom.py VERSION FOLDER   (the unpacked tarball)
"""
import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parents[2]


def text(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=HERE).stdout.strip()


def debian(package):
    """The version of a package's source without Debian's revision."""
    return re.sub(r"^\d+:|-[^-]*$", "", text("dpkg-query", "-W", "-f=${source:Version}", package))


def pinned(identity):
    pins = json.loads((HERE / "Package.resolved").read_text())["pins"]
    state = next(pin["state"] for pin in pins if pin["identity"] == identity)
    return state.get("version") or state["revision"]


def part(name, version, license, location, purpose="LIBRARY"):
    return {
        "SPDXID": f"SPDXRef-{re.sub('[^A-Za-z0-9.-]', '-', name)}", "name": name, "versionInfo": version,
        "downloadLocation": location, "filesAnalyzed": False, "licenseConcluded": license, "licenseDeclared": license,
        "copyrightText": "NOASSERTION", "primaryPackagePurpose": purpose,
    }


def main():
    version, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    swift = re.search(r"Swift version (\S+)", text("swift", "--version")).group(1)
    program = part("reactor", version, "MIT", "NOASSERTION", "APPLICATION")
    linked = [
        part("swift-runtime", swift, "Apache-2.0 WITH Swift-exception", "NOASSERTION"),
        part("swift-argument-parser", pinned("swift-argument-parser"), "Apache-2.0 WITH Swift-exception",
             "https://github.com/apple/swift-argument-parser"),
        part("simdjson", debian("libsimdjson-dev"), "Apache-2.0", "NOASSERTION"),
        part("libstdc++", debian("libstdc++6"), "GPL-3.0-or-later WITH GCC-exception-3.1", "NOASSERTION"),
    ]
    # Linked into the programs of the tarball; the Debian package takes them from the distribution.
    some = [part("libyaml", debian("libyaml-dev"), "MIT", "NOASSERTION"),
            part("sqlite", debian("libsqlite3-dev"), "blessing", "NOASSERTION"),
            part("zlib", debian("zlib1g-dev"), "Zlib", "NOASSERTION")]
    loaded = [part(name, "NOASSERTION", "NOASSERTION", "NOASSERTION")
              for name in ("libcurl", "libcrypto", "libexpat", "libpq", "libzstd", "libbrotlidec")]
    files = []
    for path in sorted((folder / "bin").iterdir()):
        data = path.read_bytes()
        files.append({
            "SPDXID": f"SPDXRef-File-{path.name}", "fileName": f"./bin/{path.name}", "fileTypes": ["BINARY"],
            "checksums": [{"algorithm": "SHA1", "checksumValue": hashlib.sha1(data).hexdigest()},
                          {"algorithm": "SHA256", "checksumValue": hashlib.sha256(data).hexdigest()}],
            "licenseConcluded": "NOASSERTION", "copyrightText": "NOASSERTION",
        })

    def relation(one, kind, other):
        return {"spdxElementId": one["SPDXID"], "relationshipType": kind, "relatedSpdxElement": other["SPDXID"]}

    moment = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    document = {"SPDXID": "SPDXRef-DOCUMENT"}
    relations = [relation(document, "DESCRIBES", other) for other in [program, *files]]
    relations += [relation(program, "STATIC_LINK", other) for other in linked + some]
    relations += [relation(program, "DYNAMIC_LINK", other) for other in some]
    relations += [relation(other, "RUNTIME_DEPENDENCY_OF", program) for other in loaded]
    digest = hashlib.sha256("".join(file["checksums"][1]["checksumValue"] for file in files).encode()).hexdigest()
    print(json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"reactor-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/reactor-{version}-{digest[:32]}",
        "creationInfo": {"created": f"{moment:%Y-%m-%dT%H:%M:%SZ}", "creators": ["Tool: scripts/package"]},
        "packages": [program, *linked, *some, *loaded], "files": files, "relationships": relations,
    }, indent=1, sort_keys=True))


main()
