import Testing
import WebSyntax

/// Names and values of credentials, and others that look like them.
@Suite struct CredentialNameTests {
  @Test(arguments: [
    "Authorization", "Cookie", "X-Api-Key", "X-GitLab-Token", "Ocp-Apim-Subscription-Key", "DD-APPLICATION-KEY",
    "X-Access-Key", "X-Auth", "X-Session", "Session-Id", "X-MBX-APIKEY", "X-Functions-Key", "X-Signature",
  ])
  func `a header is a credential`(_ name: String) { #expect(CredentialName.isHeader(name)) }

  @Test(arguments: [
    "Accept", "X-Auth-Email", "X-Request-Id", "Idempotency-Key", "Partition-Key", "Sec-WebSocket-Key",
    "Signature-Input",
    "Author", "X-Password-Policy", "session_id",
  ])
  func `a header is no credential`(_ name: String) { #expect(!CredentialName.isHeader(name)) }

  @Test(arguments: ["pwd", "jwt", "pass", "my_password", "subscription-key", "hapikey", "X-Amz-Signature", "secretKey"])
  func `a parameter is a credential`(_ name: String) { #expect(CredentialName.isParameter(name)) }

  @Test(arguments: [
    "key", "code", "session_id", "sort_key", "passenger", "author", "bypass", "design", "partition_key", "state",
  ])
  func `a parameter is no credential`(_ name: String) { #expect(!CredentialName.isParameter(name)) }

  @Test func `a long value of a common name is a credential`() {
    #expect(CredentialName.isQuery("key", value: "AIza-secret-5"))
    #expect(!CredentialName.isQuery("key", value: "name"))
    #expect(CredentialName.isQuery("code", value: String(repeating: "a", count: 32)))
    #expect(!CredentialName.isQuery("code", value: "DE-2026-SUMMER"))
    #expect(CredentialName.isQuery("pwd", value: "a") && !CredentialName.isQuery("pwd", value: ""))
  }

  @Test(arguments: [
    "AIzaSyA1234567890abcdef", "ghp_0123456789abcdefABCD", "xoxb-1234567890-abcdefgh", "eyJhbGciOi.eyJzdWIiOi.SflKxwRJ",
  ])
  func `a value is known as a credential`(_ value: String) { #expect(CredentialValue.isKnown(value)) }

  @Test(arguments: [
    "AIza", "0123456789abcdef0123456789", "ghp_ is the beginning of a token", "eyJhbGciOi.only.two.dots",
  ])
  func `a value is not known`(_ value: String) { #expect(!CredentialValue.isKnown(value)) }
}
