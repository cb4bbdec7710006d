import Fixtures
import Testing

@Suite struct DraftAuthTests {
  private static func draft(_ curl: String) throws -> DraftFile {
    let curl = try CurlCommand(curl)
    let url = try #require(RequestURL(curl.url))
    return DraftFile(
      [DraftFlow(name: nil, method: curl.method, url, headers: curl.headers, body: curl.body)], base: url.origin)
  }

  @Test(arguments: [
    ("-H 'Authorization: Bearer s3cret-value' https://x.test/a", #"{ bearer: "{{ secrets.API_TOKEN }}" }"#),
    ("-H 'authorization: bearer s3cret-value' https://x.test/a", #"{ bearer: "{{ secrets.API_TOKEN }}" }"#),
    ("--oauth2-bearer s3cret-value https://x.test/a", #"{ bearer: "{{ secrets.API_TOKEN }}" }"#),
    (#"-H "Authorization: Bearer $SHOP_TOKEN" https://x.test/a"#, #"{ bearer: "{{ secrets.SHOP_TOKEN }}" }"#),
    (#"-H "Authorization: Bearer ${SHOP_TOKEN}" https://x.test/a"#, #"{ bearer: "{{ secrets.SHOP_TOKEN }}" }"#),
    (
      "-u me:s3cret-value https://x.test/a",
      #"{ basic: { username: "{{ secrets.API_USERNAME }}", password: "{{ secrets.API_PASSWORD }}" } }"#
    ),
    ("-u s3cret-value: https://x.test/a", #"{ basic: { username: "{{ secrets.API_KEY }}", password: "" } }"#),
    (
      "https://me:s3cret-value@x.test/a",
      #"{ basic: { username: "{{ secrets.API_USERNAME }}", password: "{{ secrets.API_PASSWORD }}" } }"#
    ),
    (
      "-H 'X-API-Key: s3cret-value' https://x.test/a",
      #"{ api_key: { header: "X-API-Key", value: "{{ secrets.X_API_KEY }}" } }"#
    ),
    (
      "-H 'Authorization: Token s3cret-value' https://x.test/a",
      #"{ api_key: { header: "Authorization", value: "Token {{ secrets.API_TOKEN }}" } }"#
    ),
    (
      "'https://x.test/a?api_key=s3cret-value'",
      #"{ api_key: { query: "api_key", value: "{{ secrets.API_KEY }}" } }"#
    ),
  ])
  func `credentials of a request become auth, and their values are not written`(
    _ arguments: String, _ auth: String
  ) throws {
    let file = try Self.draft("curl " + arguments)
    #expect(file.text.contains("  auth: \(auth)\n"), "\(file.text)")
    #expect(!file.text.contains("s3cret-value"))
    #expect(!file.text.contains("headers:") && !file.text.contains("query:\n"), "\(file.text)")
    #expect(!file.secrets.isEmpty)
  }

  @Test func `a second credential stays where it is, as a secret`() throws {
    let text = try Self.draft(
      "curl 'https://x.test/a?access_token=s3cret-a' -H 'Authorization: Bearer s3cret-b' -H 'X-Api-Key: s3cret-c'"
    ).text
    #expect(text.contains(#"auth: { bearer: "{{ secrets.API_TOKEN }}" }"#))
    #expect(text.contains(#"X-Api-Key: "{{ secrets.X_API_KEY }}""#))
    #expect(text.contains(#"access_token: "{{ secrets.ACCESS_TOKEN }}""#))
    #expect(!text.contains("s3cret"))
  }

  @Test func `a signature that no flow repeats is named`() throws {
    let text = try Self.draft("curl https://x.test/a -H 'Authorization: AWS4-HMAC-SHA256 Credential=s3cret'").text
    #expect(text.contains("# The request has a signature of its own ('AWS4-HMAC-SHA256')"))
    #expect(!text.contains("s3cret") && !text.contains("auth:"))
  }

  @Test func `a key that only tells things apart is no credential`() throws {
    let text = try Self.draft("curl 'https://x.test/a?key=name&id=1&id=2'").text
    #expect(text.contains("key: name\n"))
    #expect(text.contains(#"id: ["1", "2"]"#))
  }

  @Test func `flows of one recording differ where their credentials do`() throws {
    func entry(_ path: String, _ headers: String) -> String {
      #"{"request":{"method":"GET","url":"https://x.test\#(path)","headers":[\#(headers)]},"#
        + #""response":{"status":200,"headers":[],"content":{"text":"[{\"id\":1}]"}}}"#
    }
    let bearer = #"{"name":"Authorization","value":"Bearer s3cret"}"#
    let har = #"{"log":{"entries":[\#(entry("/a", bearer)),\#(entry("/b", bearer)),\#(entry("/c", ""))]}}"#
    let text = try DraftFile(Array(har.utf8), path: "x.har", .init()).text
    #expect(text.contains("  base_url: https://x.test\n  auth: { bearer: \"{{ secrets.API_TOKEN }}\" }\n"))
    #expect(text.contains("  c:\n    resource: /c\n    auth: none\n"), "\(text)")
    #expect(text.ranges(of: "auth:").count == 2)
  }
}
