import Foundation
import ReactorCore
import TestSupport
import Testing

@testable import Authorization

/// The signatures of AWS: those of its published test suite, and others that its own library for Python computed.
@Suite(.timeLimit(.minutes(1))) struct RequestSignatureTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var resource: Resource
    var service: String
    var token: String?
    var sendsDigest: Bool
    var signature: String
    var headers: String
    var testDescription: String { name }

    init(
      _ name: String, _ resource: Resource, service: String, token: String?, sendsDigest: Bool, signature: String,
      headers: String
    ) {
      (self.name, self.resource, self.service, self.token) = (name, resource, service, token)
      (self.sendsDigest, self.signature, self.headers) = (sendsDigest, signature, headers)
    }
  }

  static let cases = [
    Case(
      "published: get-vanilla", Resource(path: "/", method: .GET),
      service: "service", token: nil, sendsDigest: false,
      signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31", headers: "host;x-amz-date"),
    Case(
      "published: get-vanilla-query-order-key-case",
      Resource(path: "/", method: .GET, query: [.init("Param2", "value2"), .init("Param1", "value1")]),
      service: "service", token: nil, sendsDigest: false,
      signature: "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500", headers: "host;x-amz-date"),
    Case(
      "published: get-vanilla-query-order-value",
      Resource(path: "/", method: .GET, query: [.init("Param1", "value2"), .init("Param1", "value1")]),
      service: "service", token: nil, sendsDigest: false,
      signature: "5772eed61e12b33fae39ee5e7012498b51d56abc0abb7c60486157bd471c4694", headers: "host;x-amz-date"),
    Case(
      "published: get-vanilla-query-order-encoded",
      Resource(
        path: "/", method: .GET,
        query: [.init("Param-3", "Value3"), .init("Param", "Value2"), .init("\u{1234}", "Value1")]),
      service: "service", token: nil, sendsDigest: false,
      signature: "371d3713e185cc334048618a97f809c9ffe339c62934c032af5a0e595648fcac", headers: "host;x-amz-date"),
    Case(
      "published: post-vanilla", Resource(path: "/", method: .POST),
      service: "service", token: nil, sendsDigest: false,
      signature: "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b", headers: "host;x-amz-date"),
    Case(
      "published: post-x-www-form-urlencoded",
      Resource(
        path: "/", method: .POST, body: Array("Param1=value1".utf8),
        headers: ["Content-Type": "application/x-www-form-urlencoded"]),
      service: "service", token: nil, sendsDigest: false,
      signature: "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a",
      headers: "content-type;host;x-amz-date"),
    Case(
      "a header of AWS in another case", Resource(path: "/", method: .POST, headers: ["X-Amz-My": "VALUE1"]),
      service: "service", token: nil, sendsDigest: false,
      signature: "6115b5b98104a3e538cc9de04c9058d564218aafa89281525e2799d047aef4b1", headers: "host;x-amz-date;x-amz-my"
    ),
    Case(
      "published: post-sts-header-before", Resource(path: "/", method: .POST),
      service: "service",
      token:
        "AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA==",
      sendsDigest: false,
      signature: "85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead",
      headers: "host;x-amz-date;x-amz-security-token"),
    Case(
      "a path that was encoded", Resource(path: "/a b/%C3%BC:(x)!*", method: .GET),
      service: "service", token: nil, sendsDigest: true,
      signature: "9c7ed4b83e47b8b2395354b020c5fabcf65f00bd7b2f82c0b6955f394b7209fd",
      headers: "host;x-amz-content-sha256;x-amz-date"),
    Case(
      "empty segments", Resource(path: "//a//b/", method: .GET),
      service: "service", token: nil, sendsDigest: true,
      signature: "c1e3ec29d60a7175c1e88d4fff5c5e0ca9ad8f5ea5de50072158257c8757732b",
      headers: "host;x-amz-content-sha256;x-amz-date"),
    Case(
      "S3 keeps empty segments and encodes once", Resource(path: "/bucket//a b/%C3%BC", method: .GET),
      service: "s3", token: nil, sendsDigest: true,
      signature: "179f9b7005913914c2bfe36d495eb20dc32b7e65666985281be59485c0b680e2",
      headers: "host;x-amz-content-sha256;x-amz-date"),
    Case(
      "every kind of parameter",
      Resource(
        path: "/", method: .GET,
        query: [.init("b", "x y+z&=/~*"), .init("b", ""), .init("a-b", "1"), .init("a.b", "2"), .init("a", "\u{e9}")]),
      service: "service", token: nil, sendsDigest: true,
      signature: "5b4aa7c5fac8b6c2f17e41a70ad863e163f5cd9ac60753ee31118b1810f381ce",
      headers: "host;x-amz-content-sha256;x-amz-date"),
    Case(
      "a body that is not text",
      Resource(
        path: "/up", method: .PUT, body: [0, 255, 10],
        headers: ["Content-Type": "application/octet-stream", "X-Amz-Meta-B": "b  c", "X-Amz-Meta-A": "1"]),
      service: "s3", token: "t0ken", sendsDigest: true,
      signature: "70b47870326dc3c915fad2fe6f3e50910c46b047c4a18b0f489f92f1c19c30fc",
      headers: "content-type;host;x-amz-content-sha256;x-amz-date;x-amz-meta-a;x-amz-meta-b;x-amz-security-token"),
  ]

  /// 2015-08-30T12:36:00Z.
  private static let time = Duration.seconds(1_440_938_160)

  private static func signer(_ service: String = "service", token: String? = nil, at time: Duration = time)
    -> RequestSignature
  {
    RequestSignature(
      service: service, region: "us-east-1", accessKey: "AKIDEXAMPLE",
      secretKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", sessionToken: token
    ).dated(by: WallClock { time })
  }

  @Test(arguments: cases) func `a signature is the one that AWS computes`(_ test: Case) throws {
    var signer = Self.signer(test.service, token: test.token)
    signer.sendsDigest = test.sendsDigest
    let signed = try signer.signed(test.resource, base: "https://example.amazonaws.com")
    #expect(
      signed.headers["Authorization"]
        == "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/\(test.service)/aws4_request, "
        + "SignedHeaders=\(test.headers), Signature=\(test.signature)")
    #expect(signed.headers["X-Amz-Date"] == "20150830T123600Z")
    #expect(signed.headers["X-Amz-Security-Token"] == test.token)
  }

  @Test func `each request is signed with the time of its sending, whatever was signed before`() async throws {
    let clock = ManualClock(at: Self.time)
    let api = StubConnection { _ in Response(status: 200, body: ResponseBody(bytes: [])) }
    let connection = AuthorizedConnection(api, .signature(Self.signer().dated(by: clock.wallClock)))
    _ = try await connection.response(for: orders)
    clock.advance(by: .seconds(1))
    // A retry may get the request that was signed already.
    _ = try await connection.response(for: try #require(api.requests.first))
    let dates = api.requests.map { $0.headers["X-Amz-Date"] }
    #expect(dates == ["20150830T123600Z", "20150830T123601Z"])
    #expect(Set(api.requests.map { $0.headers["Authorization"] }).count == 2)
    #expect(api.requests.allSatisfy { $0.headers.values("X-Amz-Date").count == 1 })
  }

  @Test func `no request of a chain is sent ahead with the signature of another`() throws {
    var resource = orders
    resource.chain = RequestChain { _, resource in resource }
    #expect(try Self.signer().signed(resource, base: "https://example.com").chain == nil)
  }

  @Test(arguments: [
    ("https://example.amazonaws.com/next?page=2", true), ("https://other.example.com/next", false),
    ("https://example.amazonaws.com.evil.example/next", false), ("http://example.amazonaws.com/next", false),
  ]) func `a page of another origin is not signed`(_ url: String, _ isSigned: Bool) throws {
    var resource = Resource(path: "/", method: .GET)
    resource.target = url
    let signed = try Self.signer(token: "t0ken").signed(resource, base: "https://example.amazonaws.com/v1")
    #expect((signed.headers["Authorization"] != nil) == isSigned)
    #expect((signed.headers["X-Amz-Security-Token"] != nil) == isSigned)
  }

  @Test func `a port that is not the scheme's own is signed with the host`() throws {
    func signature(_ base: String) throws -> String? {
      try Self.signer().signed(orders, base: base).headers["Authorization"]
    }
    #expect(try signature("https://example.com") == signature("https://EXAMPLE.com:443"))
    #expect(try signature("https://example.com") != signature("https://example.com:8443"))
  }

  @Test func `nothing of a key is shown by printing a signature`() throws {
    var dumped = ""
    dump(Self.signer(token: "t0ken"), to: &dumped)
    let shown = "\(Self.signer()) \(String(reflecting: Self.signer())) \(dumped)"
    #expect(!shown.contains("wJal") && !shown.contains("t0ken") && shown.contains("service"))
  }

  @Test func `a clock outside of the calendar signs with its last year`() throws {
    let signed = try Self.signer(at: .seconds(300_000_000_000)).signed(orders, base: "https://example.com")
    #expect(signed.headers["X-Amz-Date"]?.hasPrefix("9998") ?? false)
  }
}
