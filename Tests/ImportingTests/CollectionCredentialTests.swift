import Importing
import Testing

/// A credential in one request of a collection, and the texts in which its value must not stand.
struct CredentialPlace: Sendable, CustomTestStringConvertible {
  static let value = "Zk9-very-secret-42"

  let testDescription: String
  /// The members of the request that has the credential.
  let request: String
  /// The members of the collection.
  var root = ""
  /// The name of the secret.
  var secret = "API_TOKEN"

  /// A collection with the value also in texts before, in and behind the request.
  var collection: String {
    let text = "in plain: \(Self.value)."
    func other(_ name: String) -> String {
      """
      {"name": "\(name)", "request": {"url": "https://a.example.com/\(name)/\(Self.value)/x?q=\(Self.value)", \
      "header": [{"key": "X-Trace", "value": "t-\(Self.value)"}], "description": "\(text)"}}
      """
    }
    return """
      {"info": {"name": "shop", "description": "\(text)"}\(root.isEmpty ? "" : ", \(root)"), "item": [
        \(other("before")),
        {"name": "odd \(Self.value)", "request": {"method": "PURGE", "url": "https://a.example.com/\(Self.value)"}},
        {"name": "own", "request": {\(request), "description": "\(text)"}},
        \(other("behind"))
      ]}
      """
  }

  private static let url = "\"url\": \"https://a.example.com/own/\(value)\""

  static let all = [
    CredentialPlace(
      testDescription: "auth",
      request: "\(url), \"auth\": {\"type\": \"bearer\", \"bearer\": [{\"key\": \"token\", \"value\": \"\(value)\"}]}"),
    CredentialPlace(
      testDescription: "auth with a variable",
      request: "\(url), \"auth\": {\"type\": \"bearer\", \"bearer\": [{\"key\": \"token\", \"value\": \"{{jwt}}\"}]}",
      root: "\"variable\": [{\"key\": \"jwt\", \"value\": \"\(value)\"}]", secret: "JWT"),
    CredentialPlace(
      testDescription: "header", request: "\(url), \"header\": [{\"key\": \"X-Api-Key\", \"value\": \"\(value)\"}]",
      secret: "X_API_KEY"),
    CredentialPlace(
      testDescription: "Authorization",
      request: "\(url), \"header\": [{\"key\": \"Authorization\", \"value\": \"Bearer \(value)\"}]"),
    CredentialPlace(
      testDescription: "query", request: "\"url\": \"https://a.example.com/own/\(value)?api_key=\(value)\"",
      secret: "API_KEY"),
    CredentialPlace(
      testDescription: "URL", request: "\"url\": \"https://me:\(value)@a.example.com/own/\(value)?a=@b\"",
      secret: "API_PASSWORD"),
    CredentialPlace(
      testDescription: "form",
      request:
        "\(url), \"method\": \"POST\", \"body\": {\"mode\": \"urlencoded\", \"urlencoded\": [{\"key\": \"password\", \"value\": \"\(value)\"}]}",
      secret: "PASSWORD"),
    CredentialPlace(
      testDescription: "JSON",
      request:
        "\(url), \"method\": \"POST\", \"body\": {\"mode\": \"raw\", \"raw\": \"{\\\"a\\\":[{\\\"token\\\":\\\"\(value)\\\"}]}\"}",
      secret: "TOKEN"),
    CredentialPlace(
      testDescription: "GraphQL",
      request:
        "\(url), \"method\": \"POST\", \"body\": {\"mode\": \"graphql\", \"graphql\": {\"query\": \"{ a }\", \"variables\": \"{\\\"token\\\":\\\"\(value)\\\"}\"}}",
      secret: "TOKEN"),
    CredentialPlace(
      testDescription: "path",
      request:
        "\"url\": {\"host\": [\"https://a.example.com\"], \"path\": [\"own\", \":token\"], \"variable\": [{\"key\": \"token\", \"value\": \"\(value)\"}]}",
      secret: "TOKEN"),
    CredentialPlace(
      testDescription: "JSON that has a variable for a number",
      request: body("{\\\"pass\\\": \\\"\(value)\\\", \\\"n\\\": {{n}}}"),
      secret: "PASS"),
    CredentialPlace(
      testDescription: "JSON in JSON",
      request: body("{\\\"a\\\": \\\"{\\\\\\\"pwd\\\\\\\":\\\\\\\"\(value)\\\\\\\"}\\\"}"),
      secret: "PWD"),
    CredentialPlace(
      testDescription: "XML", request: body("<a:b><a:password type='x'> \(value) </a:password></a:b>"),
      secret: "PASSWORD"
    ),
    CredentialPlace(testDescription: "text", request: body("a=1&jwt=\(value)&b={{n}}"), secret: "JWT"),
    CredentialPlace(
      testDescription: "GraphQL document",
      request:
        "\(url), \"method\": \"POST\", \"body\": {\"mode\": \"graphql\", \"graphql\": {\"query\": \"{ login(password: \\\"\(value)\\\") { id } }\"}}",
      secret: "PASSWORD"),
    CredentialPlace(
      testDescription: "long key in the query", request: "\"url\": \"https://a.example.com/own/\(value)?key=\(value)\"",
      secret: "KEY"),
  ]

  private static func body(_ text: String) -> String {
    "\(url), \"method\": \"POST\", \"body\": {\"mode\": \"raw\", \"raw\": \"\(text)\"}"
  }
}

@Suite struct CollectionCredentialTests {
  @Test(arguments: CredentialPlace.all)
  func `the value of a credential stands nowhere`(_ test: CredentialPlace) throws {
    let imported = try Imported(postman: test.collection, writes: true)
    #expect(imported.report.flows == ["before", "own", "behind"])
    #expect(imported.report.losses.map(\.kind) == [.request])
    #expect(imported.report.secrets.contains(test.secret))
    #expect(imported.text.contains("path: \"/before/{{ secrets.\(test.secret) }}/x\""), "\(imported.text)")
    #expect(!imported.text.contains(CredentialPlace.value), "\(imported.text)")
    #expect(!"\(imported.report)".contains(CredentialPlace.value), "\(imported.report)")
  }

  @Test func `an export of Insomnia does not show a credential either`() throws {
    let imported = try Imported(
      insomnia: """
        {"_type": "export", "__export_format": 4, "resources": [
          {"_id": "wrk_1", "_type": "workspace", "name": "shop"},
          {"_id": "req_1", "_type": "request", "parentId": "wrk_1", "name": "a \(CredentialPlace.value)", "method": "GET",
           "url": "https://a.example.com/\(CredentialPlace.value)",
           "headers": [{"name": "X-Auth-Token", "value": "\(CredentialPlace.value)"}]}]}
        """)
    #expect(!imported.text.contains(CredentialPlace.value), "\(imported.text)")
    #expect(imported.text.contains("path: \"/{{ secrets.X_AUTH_TOKEN }}\""), "\(imported.text)")
  }
}
