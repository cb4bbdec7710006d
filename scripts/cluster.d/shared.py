"""The flows of a run with shared state: their server, their file, and the checks of what the run left.

shared.py serve LOG           a server on a free port of 127.0.0.1, which writes the path of each request to LOG
shared.py flows URL           prints the flow file
shared.py ended               of `reactor status --format json` on standard input: how many flows have ended
shared.py busiest             of the same: the process that runs most flows, by its id
shared.py running PID         of the same: the flows that a process runs, a line for each
shared.py check LOG HAND REPORT TABLES
                              checks requests, the report, files and tables; HAND names the flows that may have been
                              requested once more
"""

import collections
import http.server
import json
import pathlib
import sys
import time

FAMILIES = 50
CHILDREN = "abc"
DELAY = 0.5


def plan():
    """Yields of each flow its name, its parent or None, where its result is, its paths and the ids of its records."""
    for number in range(FAMILIES):
        parent = f"parent_{number}"
        target = ("table", "appended table", "appended file", "file", "file")[number % 5]
        yield parent, None, target, [f"/{parent}"], [1, 2, 3]
        for child, target in zip(CHILDREN, ("file", "appended table", "appended file")):
            name = f"child_{number}{child}"
            ids = [parent * 10 + record for parent in (1, 2, 3) for record in (1, 2)]
            yield name, parent, target, [f"/{name}/{parent}" for parent in (1, 2, 3)], ids


def serve(log):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            with open(log, "a") as file:
                file.write(self.path + "\n")
            time.sleep(DELAY)
            words = self.path.split("/")[2:]
            ids = [int(words[0]) * 10 + record for record in (1, 2)] if words else [1, 2, 3]
            body = json.dumps([{"id": id} for id in ids]).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()


def flows(url):
    print("reactor: 1\nsecrets: [WAREHOUSE_URL]")
    print(f'http: {{ base_url: "{url}" }}')
    print('stores: { warehouse: { postgres: "{{ secrets.WAREHOUSE_URL }}" } }')
    print("defaults: { reachability: false }\nflows:")
    for name, parent, target, _, _ in plan():
        mode = ", mode: append" if target.startswith("appended") else ""
        where = f"store: warehouse, table: {name}" if "table" in target else f"path: out/{name}.jsonl"
        source = f"resource: /{name}"
        if parent:
            source = f'resource: "/{name}/{{{{ parent.id }}}}", each: {parent}'
        print(f"  {name}: {{ {source}, schema: {{ fields: {{ id: integer }} }}, persistence: {{ {where}{mode} }} }}")


def processes():
    return json.load(sys.stdin)["run"]["processes"]


def running(pid):
    for process in processes():
        if process["pid"] == int(pid):
            print("".join(f"{flow}\n" for flow in process["running"]), end="")


def ended():
    run = json.load(sys.stdin)["run"]
    print(run["passed"] + run["failed"] + run["error"] + run["cancelled"])


def check(log, hand, report, tables):
    problems = []
    requests = collections.Counter(pathlib.Path(log).read_text().split())
    in_hand = set(pathlib.Path(hand).read_text().split())
    # Who takes a child over needs the records of its parent.
    in_hand |= {f"shared.{parent}" for name, parent, *_ in plan() if parent and f"shared.{name}" in in_hand}
    statuses = collections.Counter(
        (flow["id"], flow["status"]) for flow in json.loads(pathlib.Path(report).read_text())["flows"]
    )
    rows = collections.defaultdict(list)
    for line in pathlib.Path(tables).read_text().split():
        name, id = line.split("|")
        rows[name].append(int(id))
    repeated = set()
    for name, _, target, paths, ids in plan():
        flow = f"shared.{name}"
        if statuses.pop((flow, "passed"), 0) != 1:
            problems.append(f"the report does not have {flow} once as passed")
        if "table" not in target:
            path = pathlib.Path(f"out/{name}.jsonl")
            rows[name] = [json.loads(line)["id"] for line in path.read_text().splitlines()] if path.exists() else []
        if sorted(rows.pop(name, [])) != ids:
            problems.append(f"the {target} of {flow} does not have each record once")
        for path in paths:
            count = requests.pop(path, 0)
            if count > 1:
                repeated.add(flow)
            if not 1 <= count <= (2 if flow in in_hand else 1):
                problems.append(f"{path} was requested {count} times")
    problems += [f"unexpected: {text}" for text in [*statuses, *rows, *requests]]
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(in_hand)} flows were in hand, {len(repeated)} of them were requested again")
    return 1 if problems else 0


def main(command, *arguments):
    if command == "busiest":
        print(max((len(each["running"]), each["pid"]) for each in processes() if not each["left"])[1])
        return 0
    return {"serve": serve, "flows": flows, "ended": ended, "running": running, "check": check}[command](*arguments)


sys.exit(main(*sys.argv[1:]))
