import ReactorCore
import TestSupport
import Testing

@testable import Authorization

/// The signatures of RFC 5849, and one that the documentation of a large API computes step by step.
@Suite struct OAuth1SignatureTests {
  private static let photos = OAuth1Signature.Key("dpf43f3p2l4k3l03", secret: "kd94hf93k423kf44")
  private static let jane = OAuth1Signature.Key("nnch734d00sl2jdk", secret: "pfkkdhi9sl3r4s00")

  private func signature(
    _ method: OAuth1Signature.Method, _ client: OAuth1Signature.Key, _ token: OAuth1Signature.Key?, time: Int,
    nonce: String, version: Bool = false
  ) -> OAuth1Signature {
    var signature = OAuth1Signature(method, client: client, token: token).dated(by: WallClock { .seconds(time) })
    signature.nonce = { nonce }
    signature.sendsVersion = version
    return signature
  }

  @Test func `the photos of section 1_2`() throws {
    var signature = signature(.hmacSHA1, Self.photos, Self.jane, time: 137_131_202, nonce: "chapoH")
    signature.realm = "Photos"
    let signed = try signature.signed(
      Resource(path: "/photos", method: .GET, query: [.init("file", "vacation.jpg"), .init("size", "original")]),
      base: "http://photos.example.net")
    #expect(
      signed.headers["Authorization"] == """
        OAuth realm="Photos", oauth_consumer_key="dpf43f3p2l4k3l03", oauth_token="nnch734d00sl2jdk", \
        oauth_signature_method="HMAC-SHA1", oauth_timestamp="137131202", oauth_nonce="chapoH", \
        oauth_signature="MdpQcU8iPSUjWoN%2FUDMsK2sui9I%3D"
        """)
  }

  @Test func `the base string of section 3_4_1`() throws {
    let resource = Resource(
      path: "/request", method: .POST, body: Array("c2&a3=2+q".utf8),
      headers: ["Content-Type": "application/x-www-form-urlencoded; charset=utf-8"],
      target: "http://EXAMPLE.COM:80/request?b5=%3D%253D&a3=a&c%40=&a2=r%20b")
    let base = try BaseURL(parsing: "http://EXAMPLE.COM:80")
    let url = "\(base.origin)/request?b5=%3D%253D&a3=a&c%40=&a2=r%20b"
    let text = OAuth1Signature.baseString(
      resource, url: url, base: base,
      [
        ("oauth_consumer_key", "9djdj82h48djs9d2"), ("oauth_token", "kkk9d7dh3k39sjv7"),
        ("oauth_signature_method", "HMAC-SHA1"), ("oauth_timestamp", "137131201"), ("oauth_nonce", "7d8f3e4a"),
      ])
    #expect(
      text == """
        POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q%26a3%3Da%26b5%3D%253D%25253D%26c%2540%3D\
        %26c2%3D%26oauth_consumer_key%3D9djdj82h48djs9d2%26oauth_nonce%3D7d8f3e4a%26oauth_signature_method%3DHMAC-SHA1\
        %26oauth_timestamp%3D137131201%26oauth_token%3Dkkk9d7dh3k39sjv7
        """)
  }

  @Test(arguments: [
    (OAuth1Signature.Method.hmacSHA1, "hCtSmYh%2BiHYCEqBWrE7C7hYmtUk%3D"),
    (.hmacSHA256, "PLbq%2BOWUE2vwiOZeZBSR06GFvymUHoaBdCIHyD66IcM%3D"),
    (.plaintext, "kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw%26LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE"),
  ]) func `a form, a query and a version are signed`(_ method: OAuth1Signature.Method, _ expected: String) throws {
    let signature = signature(
      method, .init("xvz1evFS4wEEPTGEFPHBog", secret: "kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw"),
      .init(
        "370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb", secret: "LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE"),
      time: 1_318_622_958, nonce: "kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg", version: true)
    let body = "status=Hello%20Ladies%20%2b%20Gentlemen%2c%20a%20signed%20OAuth%20request%21"
    let signed = try signature.signed(
      Resource(
        path: "/statuses/update.json", method: .POST, body: Array(body.utf8),
        headers: ["Content-Type": "application/x-www-form-urlencoded"], query: [.init("include_entities", "true")]),
      base: "https://api.twitter.com/1.1")
    #expect(signed.headers["Authorization"]?.hasSuffix("oauth_signature=\"\(expected)\"") == true)
  }

  @Test func `requests to another origin are not signed, and a nonce is used once`() throws {
    let signature = OAuth1Signature(.hmacSHA1, client: Self.photos, token: nil)
    let other = Resource(path: "/", method: .GET, target: "http://elsewhere.example/photos")
    #expect(try signature.signed(other, base: "http://photos.example.net").headers["Authorization"] == nil)
    let texts = try (0..<20).map { _ in
      try signature.signed(Resource(path: "/", method: .GET), base: "http://photos.example.net").headers[
        "Authorization"]
    }
    #expect(Set(texts).count == 20)
    #expect(!"\(signature) \(String(reflecting: signature))".contains("kd94"))
    var dumped = ""
    dump(signature, to: &dumped)
    #expect(!dumped.contains("kd94"))
  }
}
