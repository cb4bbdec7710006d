import Foundation
import TestSupport
import Testing

/// Signed requests against a server that computes each signature again with AWS's own library for Python, from what
/// arrived; the tests are skipped where the library is missing.
@Suite(.timeLimit(.minutes(3))) struct SigV4Tests {
  private static let server = #"""
    import datetime, hashlib, http.server, json, sys
    from botocore.auth import S3SigV4Auth, SigV4Auth
    from botocore.awsrequest import AWSRequest
    from botocore.credentials import Credentials

    counts = {}

    def problem(method, path, headers, body):
        sent = headers.get("Authorization", "")
        if not sent.startswith("AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/"): return "no signature"
        parts = dict(part.split("=", 1) for part in sent.split(" ", 1)[1].split(", "))
        _, day, region, service, _ = parts["Credential"].split("/")
        date = headers["X-Amz-Date"]
        now = datetime.datetime.now(datetime.timezone.utc).replace(tzinfo=None)
        if abs(datetime.datetime.strptime(date, "%Y%m%dT%H%M%SZ") - now) > datetime.timedelta(minutes=5):
            return "RequestTimeTooSkewed"
        if headers["X-Amz-Content-Sha256"] != hashlib.sha256(body).hexdigest(): return "another body"
        token = headers.get("X-Amz-Security-Token")
        if token not in (None, "session/t0ken+1="): return "another token"
        names = parts["SignedHeaders"].split(";")
        for name in ["host", "x-amz-date", "x-amz-content-sha256"] + (["x-amz-security-token"] if token else []):
            if name not in names: return name + " is not signed"
        request = AWSRequest(method, "http://" + headers["Host"] + path, data=body, headers={
            name: headers[name] for name in names if name != "host"})
        request.context["timestamp"] = date
        kind = S3SigV4Auth if service == "s3" else SigV4Auth
        auth = kind(Credentials("AKIDEXAMPLE", "s3cret/Key+4711=", token), service, region)
        text = auth.string_to_sign(request, auth.canonical_request(request))
        return None if auth.signature(text, request) == parts["Signature"] else "SignatureDoesNotMatch"

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        def log_message(self, *_): pass
        def send(self, status, value, headers=[]):
            body = json.dumps(value).encode()
            self.send_response(status)
            for name, text in headers: self.send_header(name, text)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        def do_GET(self):
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            found = problem(self.command, self.path, self.headers, body)
            if found: return self.send(403, {"error": found})
            counts[self.path] = counts.get(self.path, 0) + 1
            if self.path.startswith("/flaky") and counts[self.path] == 1:
                return self.send(503, {}, [("Retry-After", "1")])
            if self.path.startswith("/pages"):
                page = int(self.path.split("=")[-1]) if "=" in self.path else 1
                link = [("Link", '<http://%s/pages?z=%%2F%%20a&page=%d>; rel="next"' % (self.headers["Host"], page + 1))]
                return self.send(200, [{"id": page}], link if page < 3 else [])
            self.send(200, [{"id": 1, "path": self.path, "body": body.decode()}])
        do_POST = do_PUT = do_GET

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()
    """#

  private static let flows = """
    reactor: 1
    secrets: [ACCESS, SECRET, TOKEN]
    http:
      base_url: BASE
      auth:
        sigv4:
          service: execute-api
          region: eu-central-1
          key_id: "{{ secrets.ACCESS }}"
          key: "{{ secrets.SECRET }}"
          token: "{{ coalesce(secrets.TOKEN, '') }}"
    flows:
      odd:
        resource: { path: "/a b/ü:(x)!*'~/%2F//c/", query: { b: "x y+z&=/~*", "a b": "é", a: ["2", "1"], empty: "" } }
        pages: none
        persistence: out/odd.jsonl
      pages:
        resource: /pages
        pages: { by: link }
        schema: { key: id, fields: { id: integer } }
        persistence: out/pages.jsonl
      flaky:
        resource: /flaky
        pages: none
        retry: { max: 2, wait: 1s }
        persistence: out/flaky.jsonl
      sent:
        resource:
          method: POST
          path: /
          headers: { X-Amz-Target: DynamoDB_20120810.Scan, Content-Type: application/x-amz-json-1.0 }
          body: { json: { TableName: "größe" } }
        pages: none
        persistence: out/sent.jsonl

    """

  private static let secrets = ["ACCESS": "AKIDEXAMPLE", "SECRET": "s3cret/Key+4711="]

  /// The server with the flows of it; nil without the library.
  private static func start(in workspace: Workspace) async throws -> Program? {
    try workspace.write(server, to: "server.py")
    let readers = Repository.root.appendingPathComponent("scripts/report-readers").path
    let python = try await Program("/bin/bash", [readers, "python"], in: workspace.folder).end()
    let command = python.status == 0 ? python.stdout.trimmingCharacters(in: .whitespacesAndNewlines) : "python3"
    let program = try Program("/usr/bin/env", [command, "server.py"], in: workspace.folder)
    while program.isRunning, !program.stdout.hasSuffix("\n") { await Pause.short() }
    guard let port = Int(program.stdout.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      let isMissing = program.stderr.contains("No module named") || program.stderr.contains("python3")
      #expect(isMissing, "\(program.stderr)")
      print("skipped: signatures judged by botocore, which is not there; scripts/report-readers install")
      return nil
    }
    try workspace.write(flows.replacing("BASE", with: "http://127.0.0.1:\(port)"), to: "flows/aws.yaml")
    return program
  }

  @Test(arguments: [nil, "session/t0ken+1="])
  func `what arrives has a right signature, also of pages and retries`(_ token: String?) async throws {
    let workspace = try Workspace()
    guard let server = try await Self.start(in: workspace) else { return }
    defer { server.signal(SIGKILL) }
    var secrets = Self.secrets
    secrets["TOKEN"] = token
    let run = try await workspace.reactor("run", environment: secrets)
    #expect(run.status == 0, "\(run.stdout)\(run.stderr)")
    #expect(workspace.text("out/pages.jsonl") == "{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n")
    #expect(workspace.text("out/sent.jsonl")?.contains("größe") ?? false)
    #expect(workspace.text("out/odd.jsonl")?.contains("%2F//c/?") ?? false, "\(workspace.text("out/odd.jsonl") ?? "")")
    // A wrong key is refused by the server, and neither it nor the right one is shown.
    secrets["SECRET"] = "s3cret/Key+4712="
    let wrong = try await workspace.reactor("run", "--fresh", environment: secrets)
    #expect(wrong.status == 5 && wrong.stderr.contains("SignatureDoesNotMatch"), "\(wrong.stdout)\(wrong.stderr)")
    for secret in ["s3cret/Key", "session/t0ken"] { #expect(!"\(wrong.stdout)\(wrong.stderr)".contains(secret)) }
  }

  @Test func `a recording has no signature, and is replayed without a key`() async throws {
    let workspace = try Workspace()
    guard let server = try await Self.start(in: workspace) else { return }
    let secrets = Self.secrets.merging(["TOKEN": "session/t0ken+1="]) { $1 }
    let recorded = try await workspace.reactor(
      "record", "--report", "ndjson=r.ndjson", "--report", "html=r.html", environment: secrets)
    #expect(recorded.status == 0, "\(recorded.stdout)\(recorded.stderr)")
    // Later, with other dates, nothing has changed.
    let again = try await workspace.reactor("record", "-s", "aws.odd", "-s", "aws.sent", environment: secrets)
    #expect(again.status == 0 && again.stdout.contains("nothing changed"), "\(again.stdout)\(again.stderr)")
    server.signal(SIGKILL)
    for file in workspace.files(hidden: true) where file != "server.py" {
      let text = workspace.text(file) ?? ""
      for secret in ["Key+4711", "t0ken+1", "AWS4-HMAC", "Signature="] {
        #expect(!text.contains(secret), "\(secret) in \(file)")
      }
    }
    let replay = try await workspace.reactor("test", environment: ["CI": "1"])
    #expect(replay.status == 0, "\(replay.stdout)\(replay.stderr)")
    let explained = try await workspace.reactor("explain", "odd")
    #expect(explained.stdout.contains("sigv4 for execute-api in eu-central-1, key {{ secrets.ACCESS }}"))
    #expect(explained.stdout.contains("each request is signed when it is sent"))
  }
}
