import FlowSpec
import FlowTesting
import HTTPTransport
import ReactorCore
import TestSupport
import Testing

@testable import FlowRuntime

/// Everything that reads a URL agrees about the server that it names, or refuses it: the check of flow files, base
/// URLs, next links, redirects, the allow list, and libcurl, which writes to a proxy what it would connect to.
@Suite struct HostileURLTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let text: String
    /// The origin of the text as a base URL; nil where it is refused.
    let base: String?
    /// The origin of the text as a link on a page of `home`; nil where it is refused.
    let link: String?
    var testDescription: String { text.debugDescription }

    init(_ text: String, base: String? = nil, link: String? = nil) {
      self.text = text
      self.base = base
      self.link = link
    }

    /// Both read it alike.
    init(_ text: String, _ origin: String) { self.init(text, base: origin, link: origin) }
  }

  static let home = "http://home.example"

  static let cases: [Case] = [
    // Plain, and in odd spellings.
    Case("http://home.example", home), Case("HTTP://HOME.example/", home), Case("http://home.example:80/x", home),
    Case("http://home.example:/x", home), Case("http://home.example:00080/x", home),
    Case("http://home.example:81/x", "http://home.example:81"), Case("https://home.example", "https://home.example"),
    Case("https://home.example:443/", "https://home.example"), Case("http://home.example./", "http://home.example."),
    Case("http://home.example:443/", "http://home.example:443"), Case("http://a_b.example/", "http://a_b.example"),
    Case("http://xn--bcher-kva.example/", "http://xn--bcher-kva.example"),
    // User information.
    Case("http://home.example@evil.example/"), Case("http://home.example:80@evil.example/"),
    Case("http://evil.example\\@home.example/", link: "http://evil.example"),
    Case("http://evil.example#@home.example/", link: "http://evil.example"),
    Case("http://evil.example?@home.example/", "http://evil.example"),
    Case("http://evil.example/@home.example/", "http://evil.example"),
    Case("http://@evil.example/", link: "http://evil.example"),
    Case("http://:@evil.example/", link: "http://evil.example"), Case("http://a@b@evil.example/"),
    Case("http://a:b:c@evil.example/"), Case("//user@evil.example/"),
    // Slashes and backslashes.
    Case("//evil.example/x", link: "http://evil.example"), Case("\\\\evil.example/x", link: "http://evil.example"),
    Case("/\\evil.example/x", link: "http://evil.example"), Case("///evil.example/x"), Case("\\\\\\evil.example"),
    Case("http:///evil.example/x"), Case("http:/\\/evil.example/x"), Case("https:///evil.example/x"),
    Case("http:/evil.example/x", link: home), Case("http:evil.example/x", link: home),
    Case("https:evil.example/x", link: "https://evil.example"),
    Case("http:\\\\evil.example\\x", link: "http://evil.example"), Case("/x\\..\\y", link: home),
    Case("http://evil.example\\.home.example/", link: "http://evil.example"),
    // Tabs, line ends, blanks and other controls.
    Case("http://home.example\t.evil.example/"), Case("http://home.example/\tx"), Case("/x\ty"),
    Case("/\t/evil.example"),
    Case("ht\ntp://evil.example/"), Case("http://evil.example\r\n/"), Case("http://evil.example\u{0}.home.example/"),
    Case("http://evil.example\u{7F}/"), Case(" http://evil.example/ ", link: "http://evil.example"),
    Case("http://evil .example/"), Case("http://home.example /"),
    // Ports.
    Case("http://home.example:0/"), Case("http://home.example:65536/"), Case("http://home.example:80a/"),
    Case("http://home.example:-80/"), Case("http://home.example:+80/"), Case("http://home.example:80:81/"),
    Case("http://:80/"), Case("http://home.example:%38%30/"), Case("http://home.example:99999999999999999999/"),
    // Addresses.
    Case("http://127.1/", "http://127.0.0.1"), Case("http://0x7f.1:8080/", "http://127.0.0.1:8080"),
    Case("http://017700000001/", "http://127.0.0.1"), Case("http://2130706433/", "http://127.0.0.1"),
    Case("http://127.0.0.1./", "http://127.0.0.1"), Case("http://1.2.3.256/"), Case("http://1.2.3.4.5/"),
    Case("http://%31%32%37.1/", link: "http://127.0.0.1"), Case("http://[::FFFF:127.0.0.1]/", "http://[::ffff:7f00:1]"),
    Case("http://[0:0::1]:80/", "http://[::1]"), Case("http://[::1/"), Case("http://[::1]x/"), Case("http://[::1]:x/"),
    Case("http://::1/"), Case("http://[]/"), Case("http://[127.0.0.1]/"),
    Case("http://[::1%25lo]/", base: "http://[::1]"),
    Case("http://[::1%lo]/"), Case("http://[::1%25]/"), Case("http://[v1.x]/"),
    // Hosts.
    Case("http:///"), Case("http://"), Case("http://?x"), Case("http://bücher.example/"),
    Case("http://home%2eexample/", link: home), Case("http://evil.example%00.home.example/"),
    Case("http://evil.example%2f.home.example/"), Case("http://evil.example%23@home.example/"),
    Case("http://evil.example,home.example/"), Case("http://evil.example;home.example/"), Case("http://{a,b}.example/"),
    Case("http://evil.example&home.example/"), Case("http://ho<me.example/"), Case("http://xn--a.example/"),
    Case("http://home.example\u{3002}evil.example/"),
    // Other schemes, and paths that look like hosts.
    Case("ftp://home.example/"), Case("file:///etc/passwd"), Case("javascript:alert(1)"),
    Case("://home.example/", link: home),
    Case("/x?http://evil.example/", link: home), Case("?@evil.example", link: home), Case("x@evil.example", link: home),
    Case("/.//evil.example/", link: home), Case("..//evil.example", link: home),
  ]

  /// Connections by way of a proxy that answers; the first request is redirected where a location is given.
  private func ask(
    _ base: String, location: String? = nil, adjust: (inout HTTPOptions) -> Void = { _ in }
  ) async throws -> (requests: [ScriptedServer.Request], error: ReactorError?) {
    let first = "\(Self.home)/a/b"
    let proxy = try ScriptedServer { request in
      if request.method == "CONNECT" { return [.text("HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n"), .close] }
      if let location, request.target == first {
        return [.text("HTTP/1.1 302 Found\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n")]
      }
      return [.text("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")]
    }
    defer { proxy.stop() }
    let client = HTTPClient()
    defer { client.shutdown() }
    var options = HTTPOptions()
    options.proxies = HTTPProxies(http: proxy.url, https: proxy.url)
    options.headers = ["Authorization": "s3cret"]
    adjust(&options)
    do throws(ReactorError) {
      let connection = try HTTPConnection(baseURL: base, client: client, options: options)
      let response = try await connection.response(for: Resource(path: location == nil ? "" : "/a/b", method: .GET))
      _ = try await response.body.collect(upTo: 100)
      return (proxy.requests, nil)
    } catch {
      return (proxy.requests, error)
    }
  }

  /// Scheme, host and port of what a proxy was asked for.
  private func origin(_ request: ScriptedServer.Request) -> String {
    let text = request.method == "CONNECT" ? "https://" + request.target : request.target
    let start = text.firstRange(of: "://")?.upperBound ?? text.startIndex
    let origin = text[..<(text[start...].firstIndex { "/?#".contains($0) } ?? text.endIndex)]
    return origin.hasPrefix("https://") && origin.hasSuffix(":443") ? String(origin.dropLast(4)) : String(origin)
  }

  @Test(arguments: cases) func `a base URL names one server`(_ hostile: Case) async throws {
    #expect(((try? BaseURLText.check(hostile.text)) != nil) == (hostile.base != nil))
    let base = try? BaseURL(parsing: hostile.text)
    #expect(base?.origin.replacing("%25lo", with: "") == hostile.base)
    let (requests, error) = try await ask(hostile.text)
    if let error, let base {
      let url = try Resource(path: "", method: .GET).url(relativeTo: base)
      #expect(URLMask(hiding: url, behind: "https://shown").masked(error).message.hasPrefix("GET https://shown: "))
    }
    guard let expected = hostile.base else {
      #expect(error?.message.hasPrefix("the base URL ") == true)
      #expect(requests.isEmpty)
      return
    }
    #expect(requests.map { origin($0) } == [expected])
    if expected.hasPrefix("http://") { #expect(requests.first?["Host"].map { "http://" + $0 } == expected) }
    let (others, refusal) = try await ask(hostile.text) { $0.allow = HTTPAllowList(hosts: ["other.example"]) }
    #expect(refusal?.message.contains("'http.allow' does not list") == true)
    #expect(others.isEmpty)
    if let host = base?.host, host.last?.isLetter == true {
      #expect(try await ask(hostile.text) { $0.allow = HTTPAllowList(hosts: [host]) }.requests.count == 1)
    }
  }

  @Test(arguments: cases) func `a link names one server`(_ hostile: Case) {
    let headers = Headers([.init("Link", "<\(hostile.text)>; rel=next")])
    let isInHeader = !hostile.text.contains { "<>\r\n".contains($0) }
    for isHeader in isInHeader ? [false, true] : [false] {
      do throws(ReactorError) {
        let page = "\(Self.home)/a/b"
        let next =
          isHeader
          ? try NextLink.target(of: "next", in: headers, from: page) : try NextLink.resolving(hostile.text, from: page)
        #expect(hostile.link == Self.home)
        #expect(next?.hasPrefix("\(Self.home)/") == true)
      } catch {
        #expect(hostile.link != Self.home)
        #expect(
          error.message.contains("another origin, \(hostile.link ?? "none"), which is refused") == (hostile.link != nil)
        )
      }
    }
  }

  /// What cannot stand in a header field is left out.
  @Test(arguments: cases.filter { !$0.text.utf8.contains { [0, 10, 13, 0x7F].contains($0) } })
  func `a redirect names one server`(_ hostile: Case) async throws {
    let (requests, error) = try await ask(Self.home, location: hostile.text) {
      $0.redirects.scope = .anyOrigin
      $0.redirects.limit = 1
    }
    guard let expected = hostile.link else {
      #expect(error?.message.contains("the response redirects to ") == true)
      #expect(requests.count == 1)
      return
    }
    #expect(requests.map { origin($0) } == [Self.home, expected])
    #expect(requests.last?["Authorization"] == (expected == Self.home ? "s3cret" : nil))
    guard expected != Self.home else { return }
    let (own, refusal) = try await ask(Self.home, location: hostile.text)
    #expect(own.count == 1)
    #expect(refusal?.message.contains("another origin, \(expected), which is refused") == true)
  }
}
