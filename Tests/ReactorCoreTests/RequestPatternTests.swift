import ReactorCore
import Testing

@Suite struct RequestPatternTests {
  @Test(arguments: [
    ("/search", "/search", true), ("/search", "/search/", false), ("/search", "/searches", false),
    ("/search/*", "/search/users", true), ("/search/*", "/search/", true), ("/search/*", "/search/users/7", false),
    ("/search/**", "/search/users/7", true), ("/search/**", "/search", false), ("/search**", "/search/a", true),
    ("/*/notes", "/orders/notes", true), ("/*/notes", "/orders/7/notes", false), ("/**/notes", "/orders/7/notes", true),
    ("/v*/x", "/v12/x", true), ("**", "/", true), ("*", "/", false), ("/a b", "/a%20b", true), ("/ä", "/%C3%A4", true),
    ("/a%20b", "/a%20b", true), ("/*a*b*", "/xaybz", true), ("/*a*b*", "/xbya", false), ("***", "/a/b", true),
  ]) func `a star is any text within a segment, two are any text`(pattern: String, path: String, matches: Bool) {
    #expect(PathPattern(pattern).matches(path.utf8) == matches)
  }

  @Test func `a pattern of many stars takes no time`() {
    let pattern = PathPattern(String(repeating: "*a", count: 60))
    #expect(!pattern.matches((String(repeating: "a", count: 2000) + "b").utf8))
  }

  @Test(arguments: [
    ("https://a.example", "/search", nil, true), ("https://a.example/v1", "/search", nil, true),
    ("https://a.example/v1/", "search", nil, true), ("https://a.example/v1?k=1", "/search", nil, true),
    ("https://a.example/v1", "/", "https://a.example/v1/search?page=2", true),
    ("https://a.example/v1", "/", "https://a.example/search?page=2", true),
    ("https://a.example/v1", "/", "https://a.example/v10/search", false),
    ("https://a.example/v1", "/", "https://b.example:8080/search#x", true),
    ("https://a.example/v1", "/", "https://a.example/v1?x=/search", false),
  ]) func `the path is that below the base URL`(base: String, path: String, target: String?, matches: Bool) {
    let pattern = RequestPattern(paths: [PathPattern("/nothing"), PathPattern("/search")])
    let resource = Resource(path: path, method: .GET, target: target)
    #expect(pattern.matches(resource, relativeTo: base) == matches)
    #expect(!RequestPattern(methods: [.POST]).matches(resource, relativeTo: base))
    #expect(RequestPattern(methods: [.POST, .GET]).matches(resource, relativeTo: base))
  }
}
