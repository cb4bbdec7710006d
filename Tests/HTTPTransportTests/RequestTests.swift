import HTTPTransport
import ReactorCore
import TestSupport
import Testing

@Suite struct RequestTests {
  @Test func `a request arrives as declared`() async throws {
    let exchange = try Exchange(
      path: "/v2?key=1", adjust: { $0.headers = ["Accept": "application/json", "X-A": "base"] }
    ) { _ in ok() }
    defer { exchange.stop() }
    let resource = Resource(
      path: "items", method: .GET, headers: ["X-A": "own", "X-Empty": ""], query: [.init("q", "a b&c")])
    #expect(try await exchange.text(resource) == "hello")
    let request = try #require(exchange.server.requests.first)
    #expect(request.line == "GET /v2/items?key=1&q=a%20b%26c HTTP/1.1")
    #expect(request["Accept"] == "application/json")
    #expect(request.fields.filter { $0.name == "x-a" }.map(\.value) == ["own"])
    #expect(request["X-Empty"] == "")
    #expect(request["User-Agent"]?.hasPrefix("reactor/") == true)
    #expect(request["Accept-Encoding"] == "gzip, br, zstd")
    #expect(request["Host"] == "127.0.0.1:\(exchange.server.port)")
  }

  @Test(arguments: Resource.Method.allCases.filter { $0 != .CONNECT })
  func `each method arrives with its body`(_ method: Resource.Method) async throws {
    let exchange = try Exchange { _ in
      method == .HEAD ? [.text(head("Content-Length: 5"))] : ok()
    }
    defer { exchange.stop() }
    for body in [nil, Array("{\"a\":1}".utf8), []] as [[UInt8]?] where method != .HEAD || body == nil {
      _ = try await exchange.text(Resource(path: "/", method: method, body: body))
      let request = try #require(exchange.server.requests.last)
      #expect(request.method == method.rawValue)
      #expect(request.body == body ?? [])
      #expect(request["Expect"] == nil)
      #expect(request["Content-Type"] == nil)
      let sendsLength = body != nil || [.POST, .PUT, .PATCH].contains(method)
      #expect(request["Content-Length"] == (sendsLength ? "\(body?.count ?? 0)" : nil))
    }
  }

  @Test func `a body of four megabytes arrives whole`() async throws {
    let exchange = try Exchange { _ in ok() }
    defer { exchange.stop() }
    let body = (0..<4_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    _ = try await exchange.text(Resource(path: "/", method: .POST, body: body, headers: ["Content-Type": "x/y"]))
    #expect(exchange.server.requests.first?.body == body)
    #expect(exchange.server.requests.first?["Content-Type"] == "x/y")
  }

  @Test(arguments: [
    ("X-A", "1\r\nX-B: 2"), ("X-A", "1\n2"), ("X-A", "1\0"), ("X A", "1"), ("", "1"), ("X-A:", "1"),
    ("Content-Length", "3"), ("Transfer-Encoding", "chunked"), ("Connection", "close"), ("Upgrade", "h2c"),
  ])
  func `a header that cannot be sent is refused before anything is opened`(_ name: String, _ value: String) async throws
  {
    let exchange = try Exchange { _ in ok() }
    defer { exchange.stop() }
    let resource = Resource(path: "/", method: .GET, headers: Headers([.init(name, value)]))
    let error = await failure { () async throws(ReactorError) in _ = try await exchange.text(resource) }
    #expect(error?.kind == .server)
    #expect(exchange.server.acceptedConnections == 0)
  }

  @Test(arguments: [
    "", "nonsense", "/relative", "ftp://host/", "file:///etc/passwd", "http://", "http://user:pw@host/", "http://a b/",
  ])
  func `a base URL that is none is refused`(_ url: String) {
    #expect(throws: ReactorError.self) { try HTTPConnection(baseURL: url, client: HTTPClient()) }
  }

  @Test func `the response's head comes as sent, with the status, before the body`() async throws {
    let exchange = try Exchange { _ in
      [.text("HTTP/1.1 404 Not Found\r\nX-A: 1\r\nx-a:  2 \r\nContent-Length: 4\r\n\r\nno"), .hold]
    }
    defer { exchange.stop() }
    let response = try await exchange.connection.response(
      for: Resource(path: "/a", method: .GET, query: [.init("b", "c")]))
    #expect(response.status == 404)
    #expect(response.headers.values("X-A") == ["1", "2"])
    #expect(response.url == exchange.server.url + "/a?b=c")
    // What is there is given, although more is to come.
    #expect(try await response.body.next() == Array("no".utf8))
  }

  @Test func `a part that was asked for is taken`() async throws {
    let exchange = try Exchange { _ in
      [.text("HTTP/1.1 206 Partial Content\r\nContent-Length: 5\r\n\r\nhello")]
    }
    defer { exchange.stop() }
    #expect(try await exchange.text(Resource(path: "/", method: .GET, headers: ["Range": "bytes=0-4"])) == "hello")
  }

  @Test func `connections of one client send their own fields, however they take turns`() async throws {
    let exchange = try Exchange { _ in ok() }
    defer { exchange.stop() }
    let (url, client) = (exchange.server.url, exchange.client)
    func connection(of name: String) throws -> HTTPConnection {
      var options = HTTPOptions()
      options.headers = ["Authorization": name]
      options.userAgent = "agent of \(name)"
      return try HTTPConnection(baseURL: url, client: client, options: options)
    }
    // Two of them alike, one with fields of its own for each request.
    let connections = [("a", try connection(of: "a")), ("a", try connection(of: "a")), ("b", try connection(of: "b"))]
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<60 {
        let (name, connection) = connections[number % 3]
        group.addTask {
          let own: Headers = number % 2 == 0 ? [:] : ["X-Number": "\(number)"]
          let resource = Resource(path: "/\(name)/\(number)", method: .GET, headers: own)
          _ = try? await connection.response(for: resource).body.collect(upTo: 100)
        }
      }
    }
    let requests = exchange.server.requests
    #expect(requests.count == 60)
    for request in requests {
      let path = try #require(request.line.split(separator: " ").dropFirst().first)
      let parts = path.split(separator: "/")
      #expect(request["Authorization"] == String(parts[0]))
      #expect(request["User-Agent"] == "agent of \(parts[0])")
      let number = try #require(Int(parts[1]))
      #expect(request["X-Number"] == (number % 2 == 0 ? nil : "\(number)"))
    }
  }

  @Test func `messages name method and location, never the query`() async throws {
    let exchange = try Exchange { _ in [.close] }
    defer { exchange.stop() }
    let error = await failure { () async throws(ReactorError) in
      _ = try await exchange.text(Resource(path: "/a", method: .GET, query: [.init("token", "s3cret")]))
    }
    #expect(error?.message == "GET \(exchange.server.url)/a: the server closed the connection without a response")
  }

  @Test func `a post on a connection that the server has closed is not sent twice`() async throws {
    let exchange = try Exchange { request in request.method == "GET" ? ok() : [.close] }
    defer { exchange.stop() }
    _ = try await exchange.text()
    let error = await failure { () async throws(ReactorError) in
      _ = try await exchange.text(Resource(path: "/", method: .POST, body: [1]))
    }
    #expect(error?.kind == .server)
    #expect(exchange.server.requests.filter { $0.method == "POST" }.count == 1)
  }
}
