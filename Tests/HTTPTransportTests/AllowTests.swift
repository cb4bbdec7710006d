@testable import HTTPTransport
import ReactorCore
import TestSupport
import Testing

@Suite struct AllowTests {
  /// A range in its usual notation.
  static func network(_ text: String) throws -> HTTPAllowList.Network {
    let parts = text.split(separator: "/")
    let address = try #require(InternetAddress(String(parts[0])))
    return HTTPAllowList.Network(
      bytes: address.bytes, bits: parts.count > 1 ? Int(parts[1]) ?? -1 : address.bytes.count * 8)
  }

  static func list(_ hosts: [String] = [], _ networks: [String] = []) throws -> HTTPAllowList {
    HTTPAllowList(hosts: hosts, networks: try networks.map(network))
  }

  private static func ask(_ url: String, _ options: HTTPOptions) async throws -> ReactorError? {
    let client = HTTPClient()
    defer { client.shutdown() }
    let connection = try HTTPConnection(baseURL: url, client: client, options: options)
    return await failure { () async throws(ReactorError) in
      let response = try await connection.response(for: Resource(path: "/", method: .GET))
      _ = try await response.body.collect(upTo: 100)
    }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var host: String
    var hosts: [String] = []
    var networks: [String] = []
    /// In the error's message; nil when it is allowed.
    var refusal: String?
    var testDescription: String { "\(host) within \(hosts + networks)" }
  }

  static let cases: [Case] = [
    .init(host: "127.0.0.1", networks: ["127.0.0.0/8"]), .init(host: "127.0.0.1", networks: ["127.0.0.1"]),
    .init(host: "localhost", networks: ["127.0.0.0/8", "::1"]), .init(host: "localhost", hosts: ["localhost"]),
    .init(host: "localhost", hosts: ["local*"]), .init(host: "LOCALHOST", hosts: ["*"]),
    .init(host: "0x7f.1", networks: ["127.0.0.0/8"]), .init(host: "2130706433", networks: ["0.0.0.0/0"]),
    .init(host: "[::ffff:127.0.0.1]", networks: ["127.0.0.0/8"]),
    .init(host: "[::ffff:127.0.0.1]", networks: ["::ffff:127.0.0.0/104"]),
    .init(host: "127.0.0.1", networks: ["::ffff:127.0.0.0/104"]),
    .init(host: "127.0.0.1", hosts: ["*"], refusal: "the host has the address 127.0.0.1, which 'http.allow' does not"),
    .init(host: "127.0.0.1", networks: ["10.0.0.0/8"], refusal: "the address 127.0.0.1, which"),
    .init(host: "127.0.0.1", networks: ["127.0.0.2/31"], refusal: "the address 127.0.0.1, which"),
    .init(host: "127.0.0.1", networks: ["::/0"], refusal: "the address 127.0.0.1, which"),
    .init(host: "[::ffff:127.0.0.1]", networks: ["::/0"], refusal: "the address ::ffff:127.0.0.1, which"),
    .init(host: "localhost", networks: ["10.0.0.0/8", "fd00::/8"], refusal: "1, which 'http.allow' does not list"),
    .init(host: "localhost", hosts: ["*.localhost"], refusal: "'http.allow' does not list the host localhost"),
    .init(host: "localhost", hosts: ["example.com"], refusal: "'http.allow' does not list the host localhost"),
    .init(host: "0x7f000001", hosts: ["localhost"], refusal: "the address 127.0.0.1, which"),
    .init(host: "169.254.169.254", networks: ["0.0.0.0/0"], refusal: "link-local address 169.254.169.254"),
    .init(host: "169.254.169.254", hosts: ["*"], networks: ["127.0.0.1"], refusal: "link-local"),
    .init(host: "[fe80::1]", networks: ["::/0"], refusal: "allow: ['fe80::1']"),
    .init(host: "[64:ff9b::169.254.1.1]", networks: ["169.254.0.0/16"], refusal: "link-local"),
  ]

  @Test(.timeLimit(.minutes(1)), arguments: cases)
  func `what is not listed is refused before a connection, with and without a range to look into`(
    _ allowed: Case
  ) async throws {
    let server = try ScriptedServer { _ in ok() }
    defer { server.stop() }
    var options = HTTPOptions()
    if !Plant.isSet("t7") { options.allow = try Self.list(allowed.hosts, allowed.networks) }
    options.connectTimeout = .seconds(2)
    let error = try await Self.ask("http://\(allowed.host):\(server.port)", options)
    if let refusal = allowed.refusal {
      #expect(error?.kind == .server)
      #expect(error?.message.contains(refusal) == true, "\(error?.message ?? "none")")
      #expect(server.acceptedConnections == 0)
    } else {
      #expect(error == nil)
    }
  }

  /// Spellings of loopback and private addresses, and of names for them.
  static let spellings = [
    "127.0.0.1", "127.1", "127.0.1", "0x7f.1", "0x7f000001", "2130706433", "017700000001", "0177.0.0.1", "0x7f.0.0.1",
    "127.255.255.254", "0.0.0.0", "0", "10.0.0.1", "10.1", "0xa000001", "167772161", "012.0.0.1", "172.16.0.1",
    "172.31.255.255", "0xac100001", "192.168.0.1", "192.168.1", "3232235521", "0xc0a80001", "100.64.0.1", "[::1]",
    "[0:0:0:0:0:0:0:1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::ffff:10.0.0.1]", "[::ffff:a00:1]",
    "[::ffff:192.168.0.1]", "[::127.0.0.1]", "[::10.0.0.1]", "[64:ff9b::127.0.0.1]", "[64:ff9b::a00:1]",
    "[2002:7f00:1::]", "[2002:a00:1::]", "[fc00::1]", "[fd00::1]", "[fdff::1]", "[fec0::1]", "localhost", "LOCALHOST",
    "localhost.", "127.0.0.1.", "%31%32%37.0.0.1",
  ]

  @Test(.timeLimit(.minutes(1)), arguments: spellings + AddressTests.refused)
  func `no spelling of an inner address leads out of a list of outer ones`(_ host: String) async throws {
    #expect(NameLookup.bound())
    let server = try ScriptedServer { _ in ok() }
    defer { server.stop() }
    for hosts in [[], ["*.example.com", "api.*"]] {
      var options = HTTPOptions()
      options.allow = try Self.list(hosts, ["203.0.113.0/24", "2001:db8::/32"])
      options.connectTimeout = .seconds(2)
      let error: ReactorError?
      do {
        error = try await Self.ask("http://\(host):\(server.port)", options)
      } catch {
        // Not even a URL: refused before anything else.
        continue
      }
      #expect(error?.kind == .server || error?.kind == .noConnectivity)
      #expect(
        error?.message.contains("'http.allow'") == true || error?.kind == .noConnectivity, "\(error?.message ?? "")")
    }
    #expect(server.acceptedConnections == 0)
  }

  @Test(.timeLimit(.minutes(1))) func `a link-local address is tried once a range of its own lists it`() async throws {
    for entry in ["169.254.169.254", "169.254.0.0/16"] {
      var options = HTTPOptions()
      options.allow = try Self.list([], [entry])
      options.connectTimeout = .milliseconds(200)
      // Through a proxy, so that nothing is sent to an address that may exist here.
      let proxy = try ScriptedServer { _ in ok() }
      defer { proxy.stop() }
      options.proxies = HTTPProxies(http: proxy.url)
      #expect(try await Self.ask("http://169.254.169.254", options) == nil)
      #expect(proxy.requests.count == 1)
    }
  }

  @Test(.timeLimit(.minutes(1)), arguments: [301, 302, 303, 307, 308])
  func `a redirect is held to the list as the first request is`(_ status: Int) async throws {
    let other = try ScriptedServer { _ in ok() }
    defer { other.stop() }
    for (target, networks, hosts, reason) in [
      ("http://localhost:\(other.port)/", ["127.0.0.1"], ["elsewhere"], ""),
      ("http://localhost:\(other.port)/", ["10.0.0.0/8", "127.0.0.1"], [], ""),
      ("http://[::ffff:169.254.169.254]/", ["127.0.0.1"], ["*"], "link-local"),
      ("http://169.254.169.254/latest", ["127.0.0.0/8"], [], "link-local"),
      ("http://0.0.0.0:\(other.port)/", ["127.0.0.1"], [], "the address 0.0.0.0, which"),
      ("http://127.0.0.2:\(other.port)/", ["127.0.0.1"], [], "the address 127.0.0.2, which"),
    ] {
      let exchange = try Exchange(adjust: {
        $0.redirects.scope = .anyOrigin
        $0.allow = try? Self.list(hosts, networks)
        $0.connectTimeout = .seconds(2)
      }) { _ in [.text("HTTP/1.1 \(status) Moved\r\nLocation: \(target)\r\nContent-Length: 0\r\n\r\n")] }
      defer { exchange.stop() }
      let error = await failure { () async throws(ReactorError) in _ = try await exchange.text() }
      if reason.isEmpty {
        // "localhost" may have ::1 first, where nothing listens.
        #expect(error == nil || error?.message.contains("::1") == true)
      } else {
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "none")")
      }
    }
  }

  @Test func `a connection kept by a flow that may more is not used by one that may less`() async throws {
    let server = try ScriptedServer { _ in ok() }
    defer { server.stop() }
    let client = HTTPClient()
    defer { client.shutdown() }
    func ask(_ allow: HTTPAllowList?) async throws -> ReactorError? {
      var options = HTTPOptions()
      options.allow = allow
      let connection = try HTTPConnection(baseURL: server.url, client: client, options: options)
      return await failure { () async throws(ReactorError) in
        let response = try await connection.response(for: Resource(path: "/", method: .GET))
        _ = try await response.body.collect(upTo: 100)
      }
    }
    #expect(try await ask(nil) == nil)
    let error = try await ask(Self.list([], ["10.0.0.0/8"]))
    #expect(error?.message.contains("the address 127.0.0.1, which 'http.allow' does not list") == true)
    #expect(server.requests.count == 1)
    #expect(try await ask(Self.list([], ["127.0.0.0/8"])) == nil)
    #expect(server.requests.count == 2)
  }

  @Test func `behind a proxy names must be listed by name, and addresses by range`() async throws {
    let proxy = try ScriptedServer { _ in ok() }
    defer { proxy.stop() }
    for (host, hosts, networks, isAllowed) in [
      ("service.invalid", ["*.invalid"], [], true), ("service.invalid", [], ["0.0.0.0/0", "::/0"], false),
      ("10.1.2.3", [], ["10.0.0.0/8"], true), ("10.1.2.3", ["*"], ["11.0.0.0/8"], false),
      ("0x0a010203", [], ["10.0.0.0/8"], true), ("[fd12::1]", [], ["fd00::/8"], true),
    ] {
      var options = HTTPOptions()
      options.proxies = HTTPProxies(http: proxy.url)
      options.allow = try Self.list(hosts, networks)
      let error = try await Self.ask("http://\(host)", options)
      #expect((error == nil) == isAllowed, "\(host) \(error?.message ?? "")")
      if !isAllowed { #expect(error?.message.contains("'http.allow' does not list") == true) }
    }
    #expect(proxy.requests.count == 4)
  }

  @Test(.timeLimit(.minutes(1))) func `reachability leaves it to the request to say what is not allowed`() async throws
  {
    let server = try ScriptedServer { _ in ok() }
    defer { server.stop() }
    let client = HTTPClient()
    defer { client.shutdown() }
    let probe = ReachabilityProbe(client: client)
    for (hosts, networks, connections) in [
      (["example.com"], [], 0), ([], ["10.0.0.0/8"], 0), ([], ["127.0.0.1"], 1), (["elsewhere"], ["127.0.0.1"], 1),
    ] {
      var options = HTTPOptions()
      options.allow = try Self.list(hosts, networks)
      let reachability = try HTTPReachability(baseURL: server.url, probe: probe, options: options)
      #expect(await reachability.isReachable(Resource(path: "/", method: .GET)))
      #expect(await server.wait(until: { $0.acceptedConnections >= connections }))
    }
    #expect(server.acceptedConnections == 1)
  }

  @Test(arguments: [
    ("a.com", "a.com", true), ("a.com.", "a.com", true), ("b.a.com", "*.a.com", true), ("c.b.a.com", "*.a.com", true),
    ("a.com", "*.a.com", false), ("xa.com", "*.a.com", false), ("api-7.a.com", "api-*.a.com", true),
    ("a.com.evil.net", "*.a.com", false), ("a.com", "*", true), ("aab", "*ab", true), ("abab", "*ab*ab", true),
    ("ab", "*ab*ab", false), ("127.0.0.1", "*", false), ("[::1]", "*", false), ("", "a", false),
  ])
  func `patterns fit whole names only`(_ name: String, _ pattern: String, _ fits: Bool) {
    #expect(HTTPAllowList(hosts: [pattern]).lists(name: name) == fits)
  }

  @Test(arguments: [(3, 8), (0, 0), (17, 8), (4, 33), (4, -1), (16, 129)])
  func `ranges that cannot be are no ranges`(_ count: Int, _ bits: Int) {
    let network = HTTPAllowList.Network(bytes: Array(repeating: 1, count: count), bits: bits)
    #expect(HTTPAllowList(networks: [network]).ranges.isEmpty)
  }
}
