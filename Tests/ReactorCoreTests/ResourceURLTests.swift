import Foundation
import ReactorCore
import Testing

@Suite struct ResourceURLTests {
  struct Joining: Sendable, CustomTestStringConvertible {
    var base: String
    var path: String
    var url: String
    var testDescription: String { "\(base) + \(path)" }
  }

  static let joinings: [Joining] = [
    .init(base: "http://h", path: "", url: "http://h/"),
    .init(base: "http://h", path: "/", url: "http://h/"),
    .init(base: "http://h/", path: "", url: "http://h/"),
    .init(base: "http://h", path: "items", url: "http://h/items"),
    .init(base: "http://h/api/v1", path: "/items", url: "http://h/api/v1/items"),
    .init(base: "http://h/api/v1/", path: "/items", url: "http://h/api/v1/items"),
    .init(base: "http://h/api/v1/", path: "items/", url: "http://h/api/v1/items/"),
    .init(base: "http://h/api/v1", path: "", url: "http://h/api/v1"),
    .init(base: "http://h/api/v1/", path: "", url: "http://h/api/v1/"),
    .init(base: "HTTP://Host.Example:8080/A", path: "/B", url: "http://host.example:8080/A/B"),
    .init(base: "https://h:", path: "/x", url: "https://h/x"),
    .init(base: "http://127.0.0.1:80", path: "/x", url: "http://127.0.0.1/x"),
    .init(base: "https://h:0443", path: "/x", url: "https://h/x"),
    .init(base: "http://0x7f.1:8080", path: "/x", url: "http://127.0.0.1:8080/x"),
    .init(base: "http://[::1]:8080/a", path: "b", url: "http://[::1]:8080/a/b"),
    .init(base: "http://[2001:DB8::1]", path: "b", url: "http://[2001:db8::1]/b"),
    .init(base: "http://[fe80::1%25eth0]:1", path: "b", url: "http://[fe80::1%25eth0]:1/b"),
    .init(base: "http://h?k=v", path: "/x", url: "http://h/x?k=v"),
    .init(base: "http://h/?", path: "/x", url: "http://h/x"),
    .init(base: "http://h", path: "//other.example/x", url: "http://h//other.example/x"),
    .init(base: "http://h", path: "http://other.example/x", url: "http://h/http://other.example/x"),
    .init(
      base: "http://h", path: "/a b/ü%20%zz%/\"<>\\^`{|}",
      url: "http://h/a%20b/%C3%BC%20%25zz%25/%22%3C%3E%5C%5E%60%7B%7C%7D"),
    .init(base: "http://h", path: "/a;b=1,2:3@4!$&'()*+-._~", url: "http://h/a;b=1,2:3@4!$&'()*+-._~"),
    .init(base: "http://h", path: "/%2F%41", url: "http://h/%2F%41"),
    .init(base: "http://h/%20ü", path: "/...", url: "http://h/%20%C3%BC/..."),
  ]

  @Test(arguments: joinings)
  func `base and path are joined and encoded once`(_ row: Joining) throws {
    let url = try Resource(path: row.path, method: .GET).url(relativeTo: row.base)
    #expect(url == row.url)
    #expect(URL(string: url)?.absoluteString == url)
  }

  @Test(arguments: [
    ("+", "%2B"), ("&", "%26"), ("=", "%3D"), ("%", "%25"), ("%20", "%2520"), (" ", "%20"), ("é", "%C3%A9"),
    ("😀", "%F0%9F%98%80"), ("/?:@", "%2F%3F%3A%40"), ("a-Z.0_9~", "a-Z.0_9~"), ("\r\n\0", "%0D%0A%00"), ("", ""),
    ("#", "%23"), ("[]", "%5B%5D"), ("'", "%27"),
  ])
  func `a query encodes everything but unreserved characters`(_ text: String, _ encoded: String) throws {
    let resource = Resource(path: "/x", method: .GET, query: [.init(text, text)])
    let url = try resource.url(relativeTo: "http://h")
    #expect(url == "http://h/x?\(encoded)=\(encoded)")
    #expect(URLComponents(string: url)?.queryItems == [URLQueryItem(name: text, value: text)])
  }

  @Test func `the base's query comes first and keeps its own writing`() throws {
    let resource = Resource(path: "/x", method: .GET, query: [.init("a", "1"), .init("k", "+")])
    #expect(
      try resource.url(relativeTo: "http://h/p?k=v+w&%41&z=ü|%") == "http://h/p/x?k=v+w&%41&z=%C3%BC%7C%25&a=1&k=%2B")
  }

  static let refusedBases = [
    "", "h", "h/x", "//h", "/x", "http:", "http:/h", "http://", "http:///x", "http://?x", "ftp://h",
    "file:///etc/passwd",
    "javascript:alert(1)", "http://user:secret@h", "http://user@h/x", "http://@h", "http://h#top", "http://h/x#top",
    "http://h?x#top", "http://h:0", "http://h:65536", "http://h:80a", "http://h:-1", "http://h:+80", "http://h:999999",
    "http://[::1", "http://[::1]x", "http://[]", "http://[1.2.3.4]", "http://[::g]", "http://[fe80::1%eth0]",
    "http://[v1.x]", "http://h h", " http://h", "http://h ", "http://h/\r\nX: y", "http://h\0", "http://h\u{7F}",
    "http://münchen.example", "http://h%41", "http://h<", "http://h\\x", "http://h/\\x", "http://h,i",
    "http://1.2.3.4.5", "http://xn--a", "http://h:80:80", "http:// /",
  ]

  @Test(arguments: refusedBases)
  func `a base that is not a plain http URL is refused`(_ base: String) {
    let error = #expect(throws: ReactorError.self) { try Resource(path: "/", method: .GET).url(relativeTo: base) }
    #expect(error?.kind == .server)
    #expect(error?.message.hasPrefix("the base URL ") == true)
    #expect(error?.message.contains("secret") == false)
  }

  @Test(arguments: [
    "/x\r\nHost: evil", "/x\0", "/x\ty", "/x\u{7F}", "/x?y=1", "/x#y", "/..", "..", "/a/../b", "/.", "/a/./b",
    "/%2e%2E/x",
    "/.%2e", "/%2e",
  ])
  func `a path that servers read differently is refused`(_ path: String) {
    let error = #expect(throws: ReactorError.self) {
      try Resource(path: path, method: .GET).url(relativeTo: "http://h/api")
    }
    #expect(error?.kind == .server)
    #expect(error?.message.hasPrefix("the path contains ") == true)
  }

  @Test func `credentials in a base are refused with the remedy and without repeating them`() {
    #expect(
      throws: ReactorError.server("the base URL contains user information ('@'); send credentials in a header")
    ) { try BaseURL(parsing: "http://user:secret@h") }
  }

  @Test func `a base URL has its parts`() throws {
    let base = try BaseURL(parsing: "https://[::1]/a?b")
    #expect(base.scheme == "https")
    #expect(base.host == "[::1]")
    #expect(base.port == 443)
    #expect(base.path == "/a")
    #expect(base.query == "b")
    #expect(base.origin == "https://[::1]")
    #expect(try BaseURL(parsing: "http://h").port == 80)
    #expect(try BaseURL(parsing: "http://h:8080").port == 8080)
  }

  @Test func `no text of bytes makes a URL with an unsafe byte or ends the process`() {
    var generator = SystemRandomNumberGenerator()
    let alphabet = Array("ab/?#%:@[]\\ .é\r\n\0&=+0".unicodeScalars)
    for _ in 0..<20_000 {
      var text = { () -> String in
        var view = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0..<12, using: &generator) {
          view.append(alphabet[Int.random(in: 0..<alphabet.count, using: &generator)])
        }
        return String(view)
      }
      let resource = Resource(path: text(), method: .GET, query: [.init(text(), text())])
      guard let url = try? resource.url(relativeTo: "http://" + text()) else { continue }
      #expect(url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
      #expect(!url.contains("#"))
      text = { "" }
    }
  }
}
