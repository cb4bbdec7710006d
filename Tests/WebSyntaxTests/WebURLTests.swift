import Testing
import WebSyntax

@Suite struct WebURLTests {
  /// A reference, and what it becomes from `https://user:pw@api.example.com:8443/v2/items/list?page=1#top`.
  private static let references: [(String, String)] = [
    ("", "https://user:pw@api.example.com:8443/v2/items/list?page=1"),
    ("?page=2", "https://user:pw@api.example.com:8443/v2/items/list?page=2"),
    ("#end", "https://user:pw@api.example.com:8443/v2/items/list?page=1#end"),
    ("next", "https://user:pw@api.example.com:8443/v2/items/next"),
    ("./next", "https://user:pw@api.example.com:8443/v2/items/next"),
    ("../next", "https://user:pw@api.example.com:8443/v2/next"),
    ("../../../../next", "https://user:pw@api.example.com:8443/next"),
    ("..", "https://user:pw@api.example.com:8443/v2/"),
    ("%2e%2E/next", "https://user:pw@api.example.com:8443/v2/next"),
    ("/next page", "https://user:pw@api.example.com:8443/next%20page"),
    ("\\next", "https://user:pw@api.example.com:8443/next"),
    ("//other.example/x", "https://other.example/x"),
    ("\\\\other.example/x", "https://other.example/x"),
    ("https:next", "https://user:pw@api.example.com:8443/v2/items/next"),
    ("http:next", "http://next/"),
    (" \t/a\nb\r ", "https://user:pw@api.example.com:8443/ab"),
    ("HTTPS://API.Example.COM:443/a/./b/../c", "https://api.example.com/a/c"),
    ("/ü?ü#ü", "https://user:pw@api.example.com:8443/%C3%BC?%C3%BC#%C3%BC"),
    ("/a%2fb%zz", "https://user:pw@api.example.com:8443/a%2fb%zz"),
    ("?a='b\"<>`{}|^", "https://user:pw@api.example.com:8443/v2/items/list?a=%27b%22%3C%3E`{}|^"),
    ("mailto:x@y", "mailto:x@y"),
  ]

  @Test(arguments: references) func `a reference resolves as a browser resolves it`(text: String, result: String) throws
  {
    let base = try WebURL("https://user:pw@api.example.com:8443/v2/items/list?page=1#top")
    #expect(try WebURL(text, relativeTo: base).serialized == result)
  }

  @Test(arguments: [
    ("http://127.1", "127.0.0.1"), ("http://0x7f.0.0.1", "127.0.0.1"), ("http://0177.0.0.01", "127.0.0.1"),
    ("http://2130706433", "127.0.0.1"), ("http://127.0.0.1.", "127.0.0.1"), ("http://%31%32%37.1", "127.0.0.1"),
    ("http://169.254.43518", "169.254.169.254"), ("http://[::FFFF:127.0.0.1]", "[::ffff:7f00:1]"),
    ("http://[0:0:0:0:0:0:0:1]", "[::1]"), ("http://[1:0:0:2:0:0:0:3]", "[1:0:0:2::3]"),
    ("http://EXAMPLE.com", "example.com"), ("http://xn--6qqa088eba", "xn--6qqa088eba"),
    ("http://a_b.example", "a_b.example"),
  ]) func `a host has one spelling`(text: String, host: String) throws {
    #expect(try WebURL(text).host == host)
  }

  @Test(arguments: [
    ("/x", WebURLError.relativeWithoutBase), ("x", .relativeWithoutBase), ("", .relativeWithoutBase),
    ("http://", .missingHost), ("https:///", .missingHost), ("http://:80", .missingHost),
    ("http://u:p@", .credentialsWithoutHost), ("http://bücher.example", .hostOutsideASCII),
    ("http://a b", .hostCharacter(0x20)), ("http://a%00b", .hostCharacter(0)), ("http://a%25b", .hostCharacter(0x25)),
    ("http://xn--", .hostLabel), ("http://xn--a", .hostLabel), ("http://a.xn--pokxncvks", .hostLabel),
    ("http://256.0.0.1", .ipv4Address), ("http://1.2.3.4.5", .ipv4Address), ("http://a.0x", .ipv4Address),
    ("http://4294967296", .ipv4Address), ("http://99999999999999999999", .ipv4Address),
    ("http://[::1", .ipv6Address), ("http://[1::2::3]", .ipv6Address), ("http://[1:2:3:4:5:6:7:8:9]", .ipv6Address),
    ("http://[::1.2.3]", .ipv6Address), ("http://[fe80::1%25eth0]", .ipv6Address), ("http://[]", .ipv6Address),
    ("http://a:65536", .port), ("http://a:8x", .port), ("http://a:-1", .port),
  ]) func `what is no URL is refused with its reason`(text: String, error: WebURLError) {
    #expect(throws: error) { try WebURL(text) }
  }

  @Test func `origin, authority and port leave credentials and defaults out`() throws {
    let url = try WebURL("https://u:p@a.example:443/x?y#z")
    #expect(url.origin == "https://a.example")
    #expect(url.authority == "a.example")
    #expect(url.port == nil)
    #expect(url.effectivePort == 443)
    #expect(url.requested == "https://a.example/x?y")
    #expect(url.hasCredentials && url.isHTTP)
    #expect("\(url)" == "https://u:***@a.example/x?y#z")
    #expect(try WebURL("https://a.example:444").origin == "https://a.example:444")
    #expect(try WebURL("data:text/plain,x").origin == nil)
    #expect(try WebURL("blob:https://a.example/1-2").origin == "https://a.example")
  }

  @Test func `an error repeats nothing of the text`() {
    #expect(throws: WebURLError.hostCharacter(UInt8(ascii: "<"))) { try WebURL("https://u:secret@a<b/") }
    #expect(!"\(WebURLError.hostCharacter(UInt8(ascii: "<")))".contains("secret"))
  }

  @Test func `any bytes are read in bounded time, and what is read stays itself`() {
    var state: UInt64 = 0x5EED
    let alphabet = Array("http:/\\?#@[]%2e.:0x1ab\t <>|^é\u{0}-")
    for _ in 0..<20_000 {
      var text = state % 3 == 0 ? "http:" : ""
      for _ in 0..<Int(state >> 59) {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        text.append(alphabet[Int(state >> 33) % alphabet.count])
      }
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      guard let url = try? WebURL(text, relativeTo: try? WebURL("http://a.example/b/c?d")) else { continue }
      let again = try? WebURL(url.serialized)
      #expect(again == url, "\(text.debugDescription)")
      #expect(!url.isHTTP || url.host?.isEmpty == false)
    }
  }
}
