@testable import HTTPTransport
import ReactorCore
import TestSupport
import Testing

@Suite struct ProxyTests {
  @Test func `an http resource is asked of the proxy by its whole URL`() async throws {
    let proxy = try ScriptedServer { _ in ok("by proxy") }
    defer { proxy.stop() }
    var options = HTTPOptions()
    options.proxies = HTTPProxies(http: "http://user:s3cret@127.0.0.1:\(proxy.port)")
    let client = HTTPClient()
    defer { client.shutdown() }
    let connection = try HTTPConnection(baseURL: "http://service.invalid/v1", client: client, options: options)
    let response = try await connection.response(for: Resource(path: "/a", method: .GET))
    #expect(try await response.body.collect(upTo: 100) == Array("by proxy".utf8))
    let request = try #require(proxy.requests.first)
    #expect(request.line == "GET http://service.invalid/v1/a HTTP/1.1")
    #expect(request["Host"] == "service.invalid")
    #expect(request["Proxy-Authorization"] == "Basic dXNlcjpzM2NyZXQ=")
  }

  @Test func `a host on the list is asked directly`() async throws {
    let proxy = try ScriptedServer { _ in ok("by proxy") }
    defer { proxy.stop() }
    let exchange = try Exchange(adjust: {
      $0.proxies = HTTPProxies(http: "127.0.0.1:\(proxy.port)", noProxy: "example.com, 127.0.0.0/8")
    }) { _ in ok("directly") }
    defer { exchange.stop() }
    #expect(try await exchange.text() == "directly")
    #expect(proxy.acceptedConnections == 0)
  }

  @Test func `a proxy that asks for credentials is an error`() async throws {
    let proxy = try ScriptedServer { _ in
      [
        .text(
          "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=x\r\nContent-Length: 2\r\n\r\nno"
        )
      ]
    }
    defer { proxy.stop() }
    for scheme in ["http", "https"] {
      var options = HTTPOptions()
      options.proxies = HTTPProxies(http: proxy.url, https: proxy.url)
      let client = HTTPClient()
      defer { client.shutdown() }
      let connection = try HTTPConnection(baseURL: "\(scheme)://service.invalid", client: client, options: options)
      let error = await failure { () async throws(ReactorError) in
        _ = try await connection.response(for: Resource(path: "/", method: .GET))
      }
      #expect(error?.message == "GET \(scheme)://service.invalid/: the proxy asks for credentials (407)")
    }
    #expect(proxy.requests.last?.line == "CONNECT service.invalid:443 HTTP/1.1")
  }

  @Test func `a tunnelled request does not show its headers to the proxy`() async throws {
    let proxy = try ScriptedServer { _ in [.text("HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n"), .close] }
    defer { proxy.stop() }
    var options = HTTPOptions()
    options.proxies = HTTPProxies(https: proxy.url)
    options.headers = ["Authorization": "s3cret", "Proxy-Authorization": "for the proxy"]
    let client = HTTPClient()
    defer { client.shutdown() }
    let connection = try HTTPConnection(baseURL: "https://service.invalid", client: client, options: options)
    let error = await failure { () async throws(ReactorError) in
      _ = try await connection.response(for: Resource(path: "/", method: .GET))
    }
    #expect(error?.message.contains("the proxy refused the connection (status 403)") == true)
    #expect(proxy.requests.first?["Authorization"] == nil)
    #expect(proxy.requests.first?["Proxy-Authorization"] == "for the proxy")
  }

  @Test func `a proxy that is not there is named as the cause`() async throws {
    #expect(NameLookup.bound())
    let gone = try ScriptedServer { _ in [] }
    gone.stop()
    var options = HTTPOptions()
    options.proxies = HTTPProxies(http: "http://proxy.invalid:3128")
    let client = HTTPClient()
    defer { client.shutdown() }
    let connection = try HTTPConnection(baseURL: "http://service.invalid", client: client, options: options)
    let error = await failure { () async throws(ReactorError) in
      _ = try await connection.response(for: Resource(path: "/", method: .GET))
    }
    #expect(error?.kind == .noConnectivity)
    #expect(error?.message.contains("the proxy's name cannot be resolved") == true)
  }

  @Test func `a link-local address is not asked of a proxy either`() async throws {
    let proxy = try ScriptedServer { _ in ok() }
    defer { proxy.stop() }
    let client = HTTPClient()
    defer { client.shutdown() }
    for host in [
      "169.254.169.254", "0xa9fea9fe", "2852039166", "0251.254.169.254", "[fe80::1]", "[::ffff:169.254.169.254]",
    ] {
      var options = HTTPOptions()
      options.proxies = HTTPProxies(http: proxy.url)
      let connection = try HTTPConnection(baseURL: "http://\(host)", client: client, options: options)
      let error = await failure { () async throws(ReactorError) in
        _ = try await connection.response(for: Resource(path: "/", method: .GET))
      }
      #expect(error?.message.contains("link-local") == true, "\(host)")
    }
    #expect(proxy.acceptedConnections == 0)
  }

  @Test(arguments: [
    ("", "a.com", 80, false), ("*", "a.com", 80, true), ("a.com", "a.com", 80, true), ("a.com", "b.a.com", 80, true),
    (".a.com", "b.a.com", 80, true), (".a.com", "a.com", 80, true), ("a.com", "ba.com", 80, false),
    ("A.COM", "a.com", 80, true), ("a.com.", "a.com", 80, true), ("b.com,a.com", "a.com", 80, true),
    ("b.com a.com", "a.com", 80, true), ("a.com:8080", "a.com", 80, false), ("a.com:8080", "a.com", 8080, true),
    ("10.0.0.0/8", "10.1.2.3", 80, true), ("10.0.0.0/8", "11.1.2.3", 80, false), ("10.0.0.1", "10.0.0.1", 80, true),
    ("0.0.1", "10.0.0.1", 80, false), ("::1", "[::1]", 80, true), ("[::1]:80", "[::1]", 80, true),
    ("[::1]:81", "[::1]", 80, false), ("fd00::/8", "[fd12::1]", 80, true), ("fd00::/8", "[fe12::1]", 80, false),
    ("10.0.0.0/99", "10.0.0.1", 80, false), ("10.0.0.0/x", "10.0.0.1", 80, false), (",", "a.com", 80, false),
    ("com", "a.com", 80, true), ("0:0:0:0:0:0:0:1", "[::1]", 80, true),
  ])
  func `the list of hosts asked directly is read as written`(
    _ list: String, _ host: String, _ port: Int, _ isDirect: Bool
  ) {
    let proxies = HTTPProxies(http: "proxy:3128", noProxy: list)
    #expect((proxies.proxy(for: Origin(scheme: "http", host: host, port: port)) == nil) == isDirect)
  }

  @Test(arguments: [
    ("proxy:3128", "proxy", 3128), ("http://proxy:8080/", "proxy", 8080), ("http://u:p@proxy", "proxy", 1080),
    ("https://proxy", "proxy", 443), ("socks5h://proxy", "proxy", 1080), ("http://proxy:80", "proxy", 80),
    ("http://[::1]:3128", "[::1]", 3128),
  ])
  func `a proxy's address is read as libcurl reads it`(_ text: String, _ host: String, _ port: Int) {
    let address = ProxyAddress(text)
    #expect(address?.host == host)
    #expect(address?.port == port)
  }
}
