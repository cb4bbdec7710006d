import Testing

@testable import HTTPTransport

@Suite struct OriginTests {
  static let plain = [
    "http://localhost", "http://localhost/", "https://api.example.com", "https://api.example.com:443/v1",
    "http://api.example.com:8080/v1/shops", "https://a-b.c-d.io/x.y/z_0", "http://127.0.0.1:9/x", "http://10.0.255.1",
    "http://EXAMPLE.com/A%20b?q=1", "https://host:/", "http://host:0080/",
  ]

  @Test(arguments: plain)
  func `a plain base URL has the origin that libcurl sees`(_ text: String) throws {
    let origin = try #require(Origin.plain(text))
    #expect(origin == (try WebAddress(text).origin))
  }

  /// What parsers read differently, or rewrite, is left to the one that connects.
  @Test(arguments: [
    "http://127.1/", "http://0x7f.0.0.1", "http://0177.0.0.1", "http://127.0.0.256", "http://2130706433",
    "http://1.2.3.4.", "http://ex\u{E4}mple.com", "http://[::1]/", "http://user@host/", "http://host:99999/",
    "http://host/a b", "http://", "http:///x", "ftp://host/", "http://a_b/", "http://host\\@other/", "http://host#x",
    "http://1a.2", "http://a..", "http://%31.2.3.4/",
  ])
  func `a base URL that is not plain is left to libcurl`(_ text: String) {
    #expect(Origin.plain(text) == nil)
  }
}
