import Authorization
import JSONSyntax
import ReactorCore
import Testing

@Suite struct CredentialTests {
  static let form = Headers([.init("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")])

  @Test func `a bearer token goes into its header, in location of one that is there`() throws {
    let resource = Resource(
      path: "/", method: .GET, headers: Headers([.init("authorization", "old"), .init("A", "b")]))
    let applied = try Credential.bearer("t0k").applied(to: resource)
    #expect(applied.headers.fields == [.init("Authorization", "Bearer t0k"), .init("A", "b")])
  }

  /// The vectors of RFC 7617, sections 2 and 2.1, and each length of padding.
  @Test(arguments: [
    ("Aladdin", "open sesame", "QWxhZGRpbjpvcGVuIHNlc2FtZQ=="), ("test", "123£", "dGVzdDoxMjPCow=="),
    ("", "", "Og=="), ("a", "", "YTo="), ("a", "b", "YTpi"), ("key", "", "a2V5Og=="),
  ])
  func `user name and password are encoded as RFC 7617 says`(user: String, password: String, expected: String) throws {
    let applied = try Credential.basic(username: user, password: password)
      .applied(to: Resource(path: "/", method: .GET))
    #expect(applied.headers["Authorization"] == "Basic \(expected)")
  }

  @Test func `a key in the query replaces one of its name and leaves the others`() throws {
    let resource = Resource(
      path: "/", method: .GET, query: [.init("key", "old"), .init("page", "2"), .init("key", "older")])
    let applied = try Credential(.query("key"), "k&1").applied(to: resource)
    #expect(applied.query == [.init("page", "2"), .init("key", "k&1")])
  }

  @Test(arguments: [
    (#"{"a":[1,2.50],"b":null}"#, #"{"a":[1,2.50],"b":null,"key":"k\"1"}"#),
    (#"{"key":0,"a":1}"#, #"{"a":1,"key":"k\"1"}"#), ("{}", #"{"key":"k\"1"}"#),
  ])
  func `a key goes into a JSON object and changes nothing else`(body: String, expected: String) throws {
    let resource = Resource(path: "/", method: .POST, body: Array(body.utf8))
    let applied = try Credential(.body("key"), "k\"1").applied(to: resource)
    #expect(applied.body.map { String(decoding: $0, as: UTF8.self) } == expected)
  }

  @Test(arguments: [
    ("a=1&b=x+y", "a=1&b=x+y&my+key=k%261%2B"), ("", "my+key=k%261%2B"), ("my+key=0&a=1", "a=1&my+key=k%261%2B"),
  ])
  func `a key goes into a form and changes nothing else`(body: String, expected: String) throws {
    let resource = Resource(path: "/", method: .POST, body: Array(body.utf8), headers: Self.form)
    let applied = try Credential(.body("my key"), "k&1+").applied(to: resource)
    #expect(applied.body.map { String(decoding: $0, as: UTF8.self) } == expected)
  }

  @Test(arguments: [nil, "[1]", "text", ""])
  func `a body that is no object has no location for a key`(body: String?) {
    let resource = Resource(path: "/", method: .POST, body: body.map { Array($0.utf8) })
    #expect(throws: ReactorError.self) { try Credential(.body("key"), "s3cr3t").applied(to: resource) }
  }

  @Test func `a credential shows its location and never its value`() {
    let credential = Credential.bearer("s3cr3t-t0ken")
    var dumped = ""
    dump(credential, to: &dumped)
    for text in ["\(credential)", String(reflecting: credential), dumped] {
      #expect(text.contains("Authorization") && !text.contains("s3cr3t"), "\(text)")
    }
  }

  @Test func `identities differ with every part and with what is left out`() {
    let lists: [[String?]] = [["a", "b"], ["ab"], ["a", nil, "b"], ["a", "", "b"], ["a", "b", nil], []]
    #expect(Set(lists.map { CredentialIdentity($0).text }).count == lists.count)
    #expect(CredentialIdentity(["a", "b"]) == CredentialIdentity(["a", "b"]))
    #expect(CredentialIdentity(["s3cr3t"]).text.count == 64 && CredentialIdentity.none.text.isEmpty)
  }
}
