import HTTPTransport
import ReactorCore
import TestSupport
import Testing

@Suite struct RedirectTests {
  static let secrets = ["Authorization", "Cookie", "X-Api-Key", "X-Own-Secret", "Proxy-Authorization"]

  private static func redirect(_ status: Int, to location: String) -> [ScriptedServer.Step] {
    [.text("HTTP/1.1 \(status) Moved\r\nLocation: \(location)\r\nContent-Length: 4\r\n\r\ngone")]
  }

  private static func resource(_ method: Resource.Method) -> Resource {
    var headers: Headers = ["X-Plain": "1", "Content-Type": "text/plain"]
    for secret in secrets { headers[secret] = "s3cret" }
    return Resource(path: "/old", method: method, body: method == .GET ? nil : Array("body".utf8), headers: headers)
  }

  @Test(arguments: [
    ("new", "/a/new"), ("../new", "/new"), ("./b/./new", "/a/b/new"), ("%2e%2E/new", "/new"), ("\\new", "/new"),
    ("?q=ü", "/a/old?q=%C3%BC"), ("/n|w", "/n|w"), ("/n\"w", "/n%22w"),
  ])
  func `a redirect leads where the URL standard says`(_ location: String, _ target: String) async throws {
    let exchange = try Exchange { $0.target == "/a/old" ? Self.redirect(302, to: location) : ok() }
    defer { exchange.stop() }
    let response = try await exchange.connection.response(for: Resource(path: "/a/old", method: .GET))
    #expect(response.status == 200)
    #expect(exchange.server.requests.last?.target == target)
  }

  @Test(arguments: [301, 302, 303, 307, 308], [Resource.Method.GET, .POST, .PUT])
  func `a redirect to the same origin keeps everything that the code keeps`(
    _ status: Int, _ method: Resource.Method
  ) async throws {
    let exchange = try Exchange(adjust: { $0.secretHeaderNames = ["x-own-secret"] }) { request in
      request.target == "/old" ? Self.redirect(status, to: "/new?a=b#c") : ok()
    }
    defer { exchange.stop() }
    let response = try await exchange.connection.response(for: Self.resource(method))
    #expect(response.status == 200)
    #expect(response.url == exchange.server.url + "/new?a=b")
    let request = try #require(exchange.server.requests.last)
    #expect(request.target == "/new?a=b")
    let becomesGet = status == 303 || method == .POST && status <= 302
    #expect(request.method == (becomesGet ? "GET" : method.rawValue))
    #expect(request.body == (becomesGet || method == .GET ? [] : Array("body".utf8)))
    #expect(request["Content-Type"] == (becomesGet ? nil : "text/plain"))
    #expect(request["X-Plain"] == "1")
    // Without a proxy its credentials go nowhere.
    for secret in Self.secrets { #expect(request[secret] == (secret == "Proxy-Authorization" ? nil : "s3cret")) }
  }

  @Test(arguments: [301, 302, 303, 307, 308], ["127.0.0.1", "localhost"])
  func `a redirect to another origin is refused, and where it is allowed leaves the secrets behind`(
    _ status: Int, _ host: String
  ) async throws {
    let other = try ScriptedServer { request in
      request.target == "/back" ? ok() : [.text("HTTP/1.1 302 Back\r\nLocation: /back\r\nContent-Length: 0\r\n\r\n")]
    }
    defer { other.stop() }
    let target = "http://\(host):\(other.port)/new?token=t0ken"
    for isAllowed in [false, true] {
      let exchange = try Exchange(adjust: {
        $0.secretHeaderNames = ["x-own-secret"]
        $0.headers = ["Authorization": "Bearer s3cret"]
        if isAllowed { $0.redirects.scope = .anyOrigin }
      }) { _ in Self.redirect(status, to: target) }
      defer { exchange.stop() }
      if isAllowed {
        #expect(try await exchange.text(Self.resource(.GET)) == "hello")
        #expect(other.requests.count == 2)
        for request in other.requests {
          #expect(request["X-Plain"] == "1")
          for secret in Self.secrets { #expect(request[secret] == nil) }
        }
      } else {
        let error = await failure { () async throws(ReactorError) in _ = try await exchange.text(Self.resource(.GET)) }
        #expect(error?.message.contains("another origin, http://\(host):\(other.port), which is refused") == true)
        #expect(error?.message.contains("t0ken") == false)
        #expect(other.acceptedConnections == 0)
      }
    }
  }

  @Test(arguments: ["", "?token=t0ken"])
  func `a target on another origin, to which a page there has led, gets no secrets`(_ query: String) async throws {
    let other = try ScriptedServer { _ in ok() }
    defer { other.stop() }
    let secrets = KnownSecrets()
    secrets.add("t0ken")
    let exchange = try Exchange(adjust: {
      $0.secretHeaderNames = ["x-own-secret"]
      $0.secrets = secrets
    }) { _ in ok() }
    defer { exchange.stop() }
    var resource = Self.resource(.GET)
    resource.target = "\(other.url)/page\(query)"
    if query.isEmpty {
      #expect(try await exchange.text(resource) == "hello")
      let request = try #require(other.requests.first)
      #expect(request["X-Plain"] == "1")
      for secret in Self.secrets { #expect(request[secret] == nil) }
    } else {
      let error = await failure { () async throws(ReactorError) in _ = try await exchange.text(resource) }
      #expect(error?.message.contains("would send a secret to another origin, \(other.url), which is refused") == true)
      #expect(error?.message.contains("t0ken") == false)
      #expect(other.acceptedConnections == 0)
    }
    // On its own origin a target keeps them, however the origin is written.
    resource.target = "HTTP" + exchange.server.url.dropFirst(4) + "/page"
    #expect(try await exchange.text(resource) == "hello")
    #expect(exchange.server.requests.last?["Authorization"] == "s3cret")
  }

  @Test func `secrets do not come back by a way over another origin`() async throws {
    let home = try ScriptedServer { request in
      request.target == "/end" ? ok() : Self.redirect(302, to: request["X-Away"] ?? "")
    }
    defer { home.stop() }
    let away = try ScriptedServer { _ in Self.redirect(302, to: home.url + "/end") }
    defer { away.stop() }
    var options = HTTPOptions()
    options.redirects.scope = .anyOrigin
    let client = HTTPClient()
    defer { client.shutdown() }
    let connection = try HTTPConnection(baseURL: home.url, client: client, options: options)
    var resource = Self.resource(.GET)
    resource.headers["X-Away"] = away.url
    let response = try await connection.response(for: resource)
    #expect(response.status == 200)
    #expect(home.requests.count == 2)
    #expect(home.requests.first?["Authorization"] == "s3cret")
    #expect(home.requests.last?["Authorization"] == nil)
  }

  @Test(arguments: [
    ("ftp://127.0.0.1/", "the scheme 'ftp'"), ("file:///etc/passwd", "the scheme 'file'"),
    ("javascript:alert(1)", "redirects to"), ("http://", "not a URL"), ("FILE:///etc/passwd", "the scheme 'file'"),
    ("file://127.0.0.1/etc/passwd", "the scheme 'file'"), ("gopher://127.0.0.1:6379/_INFO", "the scheme 'gopher'"),
    ("dict://127.0.0.1:11211/stats", "the scheme 'dict'"), ("ldap://127.0.0.1/", "the scheme 'ldap'"),
    ("tftp://127.0.0.1/x", "the scheme 'tftp'"), ("smb://127.0.0.1/x", "the scheme 'smb'"),
    ("ws://127.0.0.1/", "the scheme 'ws'"), ("data:text/plain,hello", "redirects to"),
    ("view-source:http://127.0.0.1/", "redirects to"), ("unix:/run/docker.sock", "redirects to"),
    ("http://user:pw@127.0.0.1/", "user information"),
    ("//evil.example/", "another origin, http://evil.example"),
    ("http://127.0.0.1:1/", "another origin, http://127.0.0.1:1"),
    ("https://127.0.0.1/", "another origin, https://127.0.0.1"), ("http://169.254.1.1/", "another origin"),
    ("http://[::1]/", "another origin"), ("///evil.example", "not a URL"),
    ("http:///evil.example", "not a URL"),
  ])
  func `a redirect to a location that is not to be asked is refused`(_ location: String, _ reason: String) async throws
  {
    // What is refused for its origin may be allowed; a scheme never.
    for scope in reason.contains("origin") ? [HTTPRedirects.Scope.sameOrigin] : [.sameOrigin, .anyOrigin] {
      for status in [301, 302, 303, 307, 308] {
        let exchange = try Exchange(adjust: { $0.redirects.scope = scope }) { _ in Self.redirect(status, to: location) }
        defer { exchange.stop() }
        let error = await failure { () async throws(ReactorError) in _ = try await exchange.text() }
        #expect(error?.kind == .server)
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
        #expect(error?.status == status)
        #expect(exchange.server.requests.count == 1)
      }
    }
  }

  @Test func `ten redirects are followed and an eleventh is not`() async throws {
    let exchange = try Exchange { request in
      let left = Int(request.target.dropFirst()) ?? 0
      return left == 0 ? ok() : Self.redirect(302, to: "/\(left - 1)")
    }
    defer { exchange.stop() }
    #expect(try await exchange.text(Resource(path: "/10", method: .GET)) == "hello")
    #expect(exchange.server.acceptedConnections == 1)
    let error = await failure { () async throws(ReactorError) in
      _ = try await exchange.text(Resource(path: "/11", method: .GET))
    }
    #expect(error?.message.contains("is redirect number 11, and 10 are allowed") == true)
  }

  @Test func `a redirect without a location, other codes and a switched-off policy give the response itself`()
    async throws
  {
    for (status, location, scope) in [
      (302, "", HTTPRedirects.Scope.sameOrigin), (300, "Location: /new\r\n", .sameOrigin),
      (305, "Location: /new\r\n", .sameOrigin), (302, "Location: /new\r\n", .none),
    ] {
      let exchange = try Exchange(adjust: { $0.redirects.scope = scope }) { _ in
        [.text("HTTP/1.1 \(status) X\r\n\(location)Content-Length: 2\r\n\r\nme")]
      }
      defer { exchange.stop() }
      let response = try await exchange.connection.response(for: Resource(path: "/", method: .GET))
      #expect(response.status == status)
      #expect(try await response.body.collect(upTo: 10) == Array("me".utf8))
    }
  }

  @Test func `two different URLs are refused`() async throws {
    let exchange = try Exchange { _ in
      [.text("HTTP/1.1 302 X\r\nLocation: /a\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n")]
    }
    defer { exchange.stop() }
    let error = await failure { () async throws(ReactorError) in _ = try await exchange.text() }
    #expect(error?.message.contains("two different URLs") == true)
  }

  @Test(.timeLimit(.minutes(1))) func `the deadline covers all redirects together`() async throws {
    let exchange = try Exchange(adjust: { $0.timeout = .milliseconds(500) }) { _ in
      [.pause(milliseconds: 120)] + Self.redirect(302, to: "/again")
    }
    defer { exchange.stop() }
    let error = await failure { () async throws(ReactorError) in _ = try await exchange.text() }
    #expect(error?.kind == .timeout)
  }

  @Test(.timeLimit(.minutes(1))) func `a redirect's endless body is not read to its end`() async throws {
    let exchange = try Exchange { request in
      request.target == "/new"
        ? ok()
        : [
          .text("HTTP/1.1 302 X\r\nLocation: /new\r\n\r\n"), .repeat(Misbehaviour.letters(1 << 16), count: 100_000),
          .hold,
        ]
    }
    defer { exchange.stop() }
    #expect(try await exchange.text() == "hello")
  }
}
