@testable import HTTPTransport
import ReactorCore
import TestSupport
import Testing

@Suite struct AddressTests {
  /// Spellings of link-local and metadata addresses.
  static let refused = [
    "169.254.169.254", "169.254.0.1", "0xa9fea9fe", "0xA9.0xFE.0xA9.0xFE", "2852039166", "0251.0376.0251.0376",
    "169.254.43518", "169.16689662", "[::ffff:169.254.169.254]", "[::ffff:a9fe:a9fe]", "[::169.254.169.254]",
    "[64:ff9b::169.254.169.254]", "[2002:a9fe:a9fe::1]", "[fe80::1]", "[febf::1]", "[fe80::1%25lo]", "[fd00:ec2::254]",
  ]

  @Test(.timeLimit(.minutes(1)), arguments: refused)
  func `a link-local address is refused in every spelling before a connection is tried`(_ host: String) async throws {
    let client = HTTPClient()
    defer { client.shutdown() }
    var options = HTTPOptions()
    options.connectTimeout = .seconds(2)
    let connection = try HTTPConnection(baseURL: "http://\(host)", client: client, options: options)
    let error = await failure { () async throws(ReactorError) in
      _ = try await connection.response(for: Resource(path: "/", method: .GET))
    }
    #expect(error?.kind == .server)
    #expect(error?.message.contains("the host has the link-local address ") == true)
    #expect(error?.message.contains(", which is refused unless 'http.allow' lists it: allow: [") == true)
  }

  @Test(arguments: ["127.0.0.1", "127.1", "0x7f000001", "2130706433", "localhost"])
  func `loopback is not refused in any spelling`(_ host: String) async throws {
    let server = try ScriptedServer { _ in ok() }
    defer { server.stop() }
    let client = HTTPClient()
    defer { client.shutdown() }
    let connection = try HTTPConnection(baseURL: "http://\(host):\(server.port)", client: client)
    let response = try await connection.response(for: Resource(path: "/", method: .GET))
    #expect(try await response.body.collect(upTo: 10) == Array("hello".utf8))
  }

  @Test func `a port where nothing listens is no connectivity, with the cause`() async throws {
    let silent = try SilentServer()
    let client = HTTPClient()
    defer { client.shutdown() }
    let connection = try HTTPConnection(baseURL: silent.url, client: client)
    let error = await failure { () async throws(ReactorError) in
      _ = try await connection.response(for: Resource(path: "/", method: .GET))
    }
    #expect(error?.kind == .noConnectivity)
    #expect(error?.message.hasSuffix("cannot connect: connection refused") == true)
  }

  @Test(.timeLimit(.minutes(1))) func `a name that does not exist is no connectivity`() async throws {
    #expect(NameLookup.bound())
    let client = HTTPClient()
    defer { client.shutdown() }
    let connection = try HTTPConnection(baseURL: "http://nowhere.invalid", client: client)
    let error = await failure { () async throws(ReactorError) in
      _ = try await connection.response(for: Resource(path: "/", method: .GET))
    }
    #expect(error?.message == "GET http://nowhere.invalid/: the host's name cannot be resolved")
    #expect(error?.kind == .noConnectivity)
  }

  @Test(.timeLimit(.minutes(1))) func `reachability tells an open port from a closed one, once per host`() async throws
  {
    let server = try ScriptedServer { _ in ok() }
    defer { server.stop() }
    let client = HTTPClient()
    defer { client.shutdown() }
    let probe = ReachabilityProbe(client: client)
    let resource = Resource(path: "/", method: .GET)
    let open = try HTTPReachability(baseURL: server.url + "/v1?x=y", probe: probe)
    let answers = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<20 { group.addTask { await open.isReachable(resource) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers == Array(repeating: true, count: 20))
    // The kernel takes a connection before the server does.
    #expect(await server.wait(until: { $0.acceptedConnections == 1 && $0.openConnections == 0 }))
    #expect(server.acceptedConnections == 1)
    #expect(server.requests.isEmpty)
    #expect(await open.isReachable(resource))
    #expect(server.acceptedConnections == 1)

    let silent = try SilentServer()
    let closed = try HTTPReachability(baseURL: silent.url, probe: probe)
    #expect(await !closed.isReachable(resource))
    #expect(NameLookup.bound())
    let nowhere = try HTTPReachability(baseURL: "https://nowhere.invalid", probe: probe)
    #expect(await !nowhere.isReachable(resource))
    // Why it is refused is for the request itself to say.
    let refused = try HTTPReachability(baseURL: "http://169.254.169.254", probe: probe)
    #expect(await refused.isReachable(resource))
  }

  @Test(.timeLimit(.minutes(1))) func `a host that is not reachable is named with its port and the cause`() async throws
  {
    #expect(NameLookup.bound())
    let client = HTTPClient()
    defer { client.shutdown() }
    let silent = try SilentServer()
    let address = String(silent.url.dropFirst("http://".count))
    let resource = Resource(path: "/", method: .GET)
    var proxied = HTTPOptions()
    proxied.proxies = HTTPProxies(https: silent.url)
    let expected = [
      (silent.url, HTTPOptions(), "\(address) is not reachable: cannot connect: connection refused"),
      (
        "http://nowhere.invalid", HTTPOptions(),
        "nowhere.invalid:80 is not reachable: the host's name cannot be resolved"
      ),
      ("https://service.invalid", proxied, "the proxy \(address) is not reachable: cannot connect: connection refused"),
    ]
    for (url, options, message) in expected {
      let reachability = try HTTPReachability(
        baseURL: url, probe: ReachabilityProbe(client: client), options: options)
      // The second response is a remembered one.
      for _ in 0..<2 {
        #expect(await reachability.obstacle(to: resource) == ReactorError(.noConnectivity, message))
      }
      let network = Network(
        connection: try HTTPConnection(baseURL: url, client: client), reachability: reachability)
      let error = await failure { () async throws(ReactorError) in _ = try await network.response(for: resource) }
      #expect(error?.message == message)
    }
  }

  @Test func `reachability asks the proxy where one is in charge`() async throws {
    let proxy = try ScriptedServer { _ in ok() }
    defer { proxy.stop() }
    let client = HTTPClient()
    defer { client.shutdown() }
    var options = HTTPOptions()
    options.proxies = HTTPProxies(https: "http://127.0.0.1:\(proxy.port)")
    let reachability = try HTTPReachability(
      baseURL: "https://service.invalid", probe: ReachabilityProbe(client: client), options: options)
    #expect(await reachability.isReachable(Resource(path: "/", method: .GET)))
    #expect(await proxy.wait(until: { $0.acceptedConnections == 1 }))
  }

  @Test(.timeLimit(.minutes(1))) func `a cancelled asker does not leave the others waiting or a false response`()
    async throws
  {
    let server = try ScriptedServer { _ in ok() }
    defer { server.stop() }
    let client = HTTPClient()
    defer { client.shutdown() }
    let reachability = try HTTPReachability(baseURL: server.url, probe: ReachabilityProbe(client: client))
    let resource = Resource(path: "/", method: .GET)
    for _ in 0..<20 {
      let cancelled = Task { await reachability.isReachable(resource) }
      let waiting = Task { await reachability.isReachable(resource) }
      cancelled.cancel()
      #expect(await waiting.value)
      _ = await cancelled.value
    }
  }
}
