import Foundation
import TestSupport
import Testing

/// The program against a server that computes each digest and each signature of OAuth 1.0 again from what arrived.
@Suite(.timeLimit(.minutes(3))) struct DigestAndOAuth1ProcessTests {
  private static let server = """
    import base64, hashlib, hmac, itertools, json, re, sys
    from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
    from urllib.parse import parse_qsl, quote, unquote
    uses = {}
    # Two flows that begin at once get two nonces.
    nonces = itertools.count(1)
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        def log_message(self, *_): pass
        def reply(self, status, body, *fields):
            data = json.dumps(body).encode()
            self.send_response(status)
            for name, value in fields: self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)
        def digest(self, name, algorithm):
            text = self.headers.get("Authorization") or ""
            known = dict(re.findall(r'([a-z]+)="?([^",]*)"?', text))
            def h(t): return hashlib.new(algorithm, t.encode()).hexdigest()
            def challenge(stale=""):
                self.reply(401, {}, ("WWW-Authenticate", 'Digest realm="the shop", nonce="n%d", qop="auth", algorithm=%s%s'
                    % (next(nonces), name, stale)))
            if not text.startswith("Digest "): return challenge()
            key = (known["nonce"], known["nc"])
            if uses.get(key) or int(known["nc"], 16) > 3: return challenge(", stale=true")
            uses[key] = True
            right = h(h("ada:the shop:p4ss+word=1") + ":" + known["nonce"] + ":" + known["nc"] + ":" + known["cnonce"]
                + ":auth:" + h(self.command + ":" + self.path))
            if known["response"] != right or known["uri"] != self.path: return challenge()
            self.rows()
        def oauth(self, algorithm):
            text = self.headers.get("Authorization") or ""
            fields = [(n, unquote(v)) for n, v in re.findall(r'([a-z_]+)="([^"]*)"', text)]
            given = dict(fields)
            path, _, query = self.path.partition("?")
            def e(t): return quote(t, safe="-._~")
            pairs = [(e(n), e(v)) for n, v in fields if n not in ("realm", "oauth_signature")]
            pairs += [(e(n), e(v)) for n, v in parse_qsl(query, keep_blank_values=True)]
            length = int(self.headers.get("Content-Length") or 0)
            if length: pairs += [(e(n), e(v)) for n, v in parse_qsl(self.rfile.read(length).decode(), keep_blank_values=True)]
            base = "&".join([self.command, e("http://" + self.headers["Host"] + path),
                e("&".join(n + "=" + v for n, v in sorted(pairs)))])
            right = base64.b64encode(hmac.new(b"p4ss%2Bword%3D1&t0ken%2Fsecret", base.encode(), algorithm).digest()).decode()
            if given.get("oauth_signature") != right or uses.get(given.get("oauth_nonce")): return self.reply(401, {})
            uses[given["oauth_nonce"]] = True
            self.rows()
        def rows(self):
            page = dict(parse_qsl(self.path.partition("?")[2])).get("page", "1")
            self.reply(200, [{"id": int(page)}] if int(page) < 6 else [])
        def do_GET(self):
            if self.path.startswith("/md5"): self.digest("MD5", "md5")
            elif self.path.startswith("/sha"): self.digest("SHA-256", "sha256")
            elif self.path.startswith("/one"): self.oauth("sha1")
            else: self.oauth("sha256")
        do_POST = do_GET
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()
    """

  private static let flows = """
    reactor: 1
    secrets: [PASSWORD, TOKEN]
    http: { base_url: "BASE" }
    defaults: { reachability: false }
    flows:
      md5:
        resource: { path: "/md5/a b", query: { q: "x,y z" } }
        pages: { by: page, query: page }
        auth: { digest: { username: ada, password: "{{ secrets.PASSWORD }}" } }
        persistence: out/md5.jsonl
      sha:
        resource: /sha
        pages: { by: page, query: page }
        auth: { digest: { username: ada, password: "{{ secrets.PASSWORD }}" } }
        persistence: out/sha.jsonl
      one:
        resource: { path: "/one/a b", query: { q: "x,y z+%", r: "a,b" }, unescaped: [r] }
        pages: { by: page, query: page }
        auth:
          oauth1: { client_id: c, client_secret: "{{ secrets.PASSWORD }}", token: t, token_secret: "{{ secrets.TOKEN }}" }
        persistence: out/one.jsonl
      two:
        resource: { method: POST, path: /two, query: { b: "2" }, body: { form: { a: "1 2+ä", b: "" } } }
        pages: none
        auth:
          oauth1:
            client_id: c
            client_secret: "{{ secrets.PASSWORD }}"
            token: t
            token_secret: "{{ secrets.TOKEN }}"
            algorithm: HMAC-SHA256
            realm: the shop
        persistence: out/two.jsonl

    """

  private static let secrets = ["PASSWORD": "p4ss+word=1", "TOKEN": "t0ken/secret"]

  private static func start(in workspace: Workspace) async throws -> Program? {
    try workspace.write(server, to: "server.py")
    let program = try Program("/usr/bin/env", ["python3", "server.py"], in: workspace.folder)
    while program.isRunning, !program.stdout.hasSuffix("\n") { await Pause.short() }
    guard let port = Int(program.stdout.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      print("skipped: the python3 command is needed for a server that judges digests")
      return nil
    }
    try workspace.write(flows.replacing("BASE", with: "http://127.0.0.1:\(port)"), to: "flows/old.yaml")
    return program
  }

  @Test func `what arrives has a right digest or signature, and a wrong secret is not shown`() async throws {
    let workspace = try Workspace()
    guard let server = try await Self.start(in: workspace) else { return }
    defer { server.signal(SIGKILL) }
    let run = try await workspace.reactor("run", environment: Self.secrets)
    #expect(run.status == 0, "\(run.stdout)\(run.stderr)")
    for name in ["md5", "sha", "one"] {
      #expect(workspace.text("out/\(name).jsonl") == (1...5).map { "{\"id\":\($0)}\n" }.joined(), "\(name)")
    }
    #expect(workspace.text("out/two.jsonl") == "{\"id\":1}\n")
    var wrong = Self.secrets
    wrong["PASSWORD"] = "p4ss+word=2"
    let refused = try await workspace.reactor("run", "--fresh", environment: wrong)
    #expect(refused.status == 5, "\(refused.stdout)\(refused.stderr)")
    for secret in ["p4ss", "t0ken"] { #expect(!"\(refused.stdout)\(refused.stderr)".contains(secret)) }
  }

  @Test func `a recording has no answer and no signature, and is replayed without secrets`() async throws {
    let workspace = try Workspace()
    guard let server = try await Self.start(in: workspace) else { return }
    let recorded = try await workspace.reactor("record", "--report", "ndjson=r.ndjson", environment: Self.secrets)
    server.signal(SIGKILL)
    #expect(recorded.status == 0, "\(recorded.stdout)\(recorded.stderr)")
    for file in workspace.files(hidden: true) where file != "server.py" {
      let text = workspace.text(file) ?? ""
      for secret in ["p4ss", "t0ken", "oauth_signature", "cnonce", "response="] {
        #expect(!text.contains(secret), "\(secret) in \(file)")
      }
    }
    let replay = try await workspace.reactor("test", environment: ["CI": "1"])
    #expect(replay.status == 0, "\(replay.stdout)\(replay.stderr)")
  }
}
