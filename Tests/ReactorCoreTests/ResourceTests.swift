import ReactorCore
import Testing

@Suite struct ResourceTests {
  // Upstream compared path, method and body alone; here headers and query count as well, since the server may answer
  // differently to them and a persisted result is kept by its resource.
  @Test func `R-016 same path and method and no body are equal, and headers and query count`() {
    let one = Resource(path: "/mail", method: .GET)
    #expect(one == Resource(path: "/mail", method: .GET))
    #expect(one != Resource(path: "/mail", method: .POST))
    #expect(one != Resource(path: "/mails", method: .GET))
    #expect(one != Resource(path: "/mail", method: .GET, headers: ["A": "b"]))
    #expect(one != Resource(path: "/mail", method: .GET, query: [.init("a", "b")]))
  }

  @Test func `R-017 equal empty bodies are equal`() {
    #expect(Resource(path: "/mail", method: .GET, body: []) == Resource(path: "/mail", method: .GET, body: []))
  }

  @Test func `R-018 no body and an empty body differ both ways`() {
    let none = Resource(path: "/mail", method: .GET)
    let empty = Resource(path: "/mail", method: .GET, body: [])
    #expect(none != empty)
    #expect(empty != none)
    #expect(none.fingerprint() != empty.fingerprint())
  }

  @Test func `R-019 the description has three lines`() {
    let resource = Resource(path: "/mail", method: .GET, body: [1], headers: ["A": "b"], query: [.init("q", "x")])
    #expect(resource.description == "Path: /mail\nMethod: GET\nHeaders: [A: b]")
    #expect(Resource(path: "/mail", method: .GET).description == "Path: /mail\nMethod: GET\nHeaders: [:]")
  }

  @Test func `R-020 the URL is base and path, and method, headers and body stay, also for a GET`() throws {
    let resource = Resource(path: "/mail", method: .GET, body: Array("body".utf8), headers: ["A": "b"])
    #expect(try resource.url(relativeTo: "http://host.example") == "http://host.example/mail")
    #expect(resource.method == .GET)
    #expect(resource.headers == ["A": "b"])
    #expect(resource.body == Array("body".utf8))
  }

  @Test func `R-021 adding a header to none gives one`() {
    let resource = Resource(path: "/mail", method: .GET)
    #expect(resource.addHeader("value", key: "Key").headers.fields == [.init("Key", "value")])
    #expect(resource.headers.fields == [])
  }

  @Test func `R-022 adding a second header keeps the first, adding it again replaces it`() {
    let resource = Resource(path: "/mail", method: .GET, headers: ["One": "1"]).addHeader("2", key: "Two")
    #expect(resource.headers == ["One": "1", "Two": "2"])
    #expect(resource.addHeader("3", key: "one").headers == ["one": "3", "Two": "2"])
  }

  @Test func `R-023 query pairs appear in order, repeats included`() throws {
    let resource = Resource(
      path: "/mail", method: .GET, query: [.init("name", "rui"), .init("job", "iOS"), .init("name", "x")])
    #expect(try resource.url(relativeTo: "http://h") == "http://h/mail?name=rui&job=iOS&name=x")
  }

  @Test func `the fingerprint ignores what does not change the response and nothing else`() {
    let one = Resource(
      path: "/a", method: .GET, headers: ["Accept": "x", "B": "1"], query: [.init("p", "1"), .init("q", "2")])
    let same = Resource(
      path: "a", method: .GET, headers: ["b": "1", "accept": "x"], query: [.init("q", "2"), .init("p", "1")])
    #expect(one.fingerprint() == same.fingerprint())
    #expect(one.fingerprint().count == 64)
    #expect(one.fingerprint(scope: "http://h") != one.fingerprint())
    let repeated = Resource(path: "/a", method: .GET, query: [.init("p", "1"), .init("p", "2")])
    let swapped = Resource(path: "/a", method: .GET, query: [.init("p", "2"), .init("p", "1")])
    #expect(repeated.fingerprint() != swapped.fingerprint())
    let joined = Resource(path: "/a", method: .GET, query: [.init("p", "1&q=2")])
    let split = Resource(path: "/a", method: .GET, query: [.init("p", "1"), .init("q", "2")])
    #expect(joined.fingerprint() != split.fingerprint())
    let query = Resource(path: "/a", method: .GET, query: [.init("x", "y")])
    let header = Resource(path: "/a", method: .GET, headers: ["x": "y"])
    #expect(query.fingerprint() != header.fingerprint())
  }

  @Test func `a fingerprint is what it was in every version`() {
    // Kept results are found again by it. The digests were made by another program from the same rules.
    let full = Resource(
      path: "a/b", method: .POST, body: Array("{}".utf8), headers: ["B": "1", "Accept": "x"],
      query: (0..<11).map { .init("p\($0)", "v") })
    #expect(
      full.fingerprint(scope: "shop.orders\nhttps://api.example.com")
        == "deda77b9255eb9377c094ba8d7f5c155c9b2f47045364f05d9945330d7813fad")
    #expect(
      Resource(path: "/a", method: .GET).fingerprint()
        == "d37cf5df408656b7cdb8443247b90aae6ec621ed2aa3b25b2fe50dcca2451c89")
  }

  @Test func `all methods of upstream are there`() {
    #expect(
      Resource.Method.allCases.map(\.rawValue) == [
        "OPTIONS", "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT",
      ])
  }

  @Test func `the chain that it is part of says nothing of what is asked for`() {
    let alone = Resource(path: "/a", method: .GET, query: [.init("q", "1")])
    var part = alone
    part.chain = RequestChain { _, _ in nil }
    #expect(part.chain !== nil)
    #expect(part == alone)
    #expect(part.hashValue == alone.hashValue)
    part.path = "/b"
    #expect(part != alone)
  }
}
