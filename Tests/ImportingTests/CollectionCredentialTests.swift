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
  ]
}

@Suite struct CollectionCredentialTests {
  @Test(arguments: CredentialPlace.all)
  func `the value of a credential stands nowhere`(_ place: CredentialPlace) throws {
    let imported = try Imported(postman: place.collection, writes: true)
    #expect(imported.report.flows == ["before", "own", "behind"])
    #expect(imported.report.losses.map(\.kind) == [.request])
    #expect(imported.report.secrets.contains(place.secret))
    #expect(imported.text.contains("path: \"/before/{{ secrets.\(place.secret) }}/x\""), "\(imported.text)")
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
