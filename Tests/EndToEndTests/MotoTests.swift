import Foundation
import TestSupport
import Testing

/// Flows against AWS endpoints as moto serves them: POST with a JSON body and a target header, one page each.
@Suite(.timeLimit(.minutes(3)))
struct MotoTests {
  /// The scope tells which service is meant; nobody checks the signature.
  private static func authorization(_ service: String) -> String {
    "AWS4-HMAC-SHA256 Credential=EXAMPLE/20240101/us-east-1/\(service)/aws4_request, SignedHeaders=host, Signature=0"
  }

  /// A page in whatever order the server keeps: so many of those, none twice.
  private func expectSome(
    _ count: Int, of seeded: [NSObject], in path: String, _ workspace: Workspace,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let found = try Records.lines(workspace.text(path), location)
    #expect(found.count == count && Set(found).count == count, sourceLocation: location)
    #expect(Set(found).isSubset(of: seeded), sourceLocation: location)
  }

  @Test func `first pages of parameters, secrets and items are the seeded ones`() async throws {
    guard let environment = try await RealServers.environment(for: "moto") else { return }
    let workspace = try Workspace()
    try workspace.write(
      """
      reactor: 1
      vars: { moto: http://127.0.0.1:9 }
      http: { base_url: "{{ vars.moto }}" }
      flows:
        parameters:
          resource:
            method: POST
            path: /
            headers:
              X-Amz-Target: AmazonSSM.GetParametersByPath
              Content-Type: application/x-amz-json-1.1
              Authorization: "\(Self.authorization("ssm"))"
            body: { json: { Path: /shop, Recursive: true, MaxResults: 10 } }
          records: $.Parameters[*]
          schema: { key: name, fields: { name: { from: $.Name, type: string }, value: { from: $.Value, type: string } } }
          pages: none
          persistence: out/parameters.jsonl
        secrets:
          resource:
            method: POST
            path: /
            headers:
              X-Amz-Target: secretsmanager.ListSecrets
              Content-Type: application/x-amz-json-1.1
              Authorization: "\(Self.authorization("secretsmanager"))"
            body: { json: { MaxResults: 20 } }
          records: $.SecretList[*]
          schema: { key: name, fields: { name: { from: $.Name, type: string } } }
          pages: none
          persistence: out/secrets.jsonl
        items:
          resource:
            method: POST
            path: /
            headers:
              X-Amz-Target: DynamoDB_20120810.Scan
              Content-Type: application/x-amz-json-1.0
              Authorization: "\(Self.authorization("dynamodb"))"
            body: { json: { TableName: orders, Limit: 25 } }
          records: $.Items[*]
          schema:
            key: id
            fields:
              id: { from: $.id.S, type: string }
              amount: { from: $.amount.N, type: decimal }
              paid: { from: $.paid.BOOL, type: boolean }
              tag: { from: "$.tags.L[1].S", type: string }
          persistence: out/items.jsonl
          expect: { total: $.Count }
      """, to: "flows/aws.yaml")
    let outcome = try await workspace.reactor("run", "--format", "json", environment: environment)
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    #expect(try Summary(outcome).flows.map(\.records) == [10, 20, 25])

    func two(_ number: Int) -> Substring { String(100 + number).dropFirst() }
    let parameters = try (1...60).map {
      try Records.value(#"{"name":"/shop/setting-\#(two($0))","value":"value \#($0)"}"#)
    }
    try expectSome(10, of: parameters, in: "out/parameters.jsonl", workspace)
    let secrets = try (1...60).map { try Records.value(#"{"name":"shop/secret-\#(two($0))"}"#) }
    try expectSome(20, of: secrets, in: "out/secrets.jsonl", workspace)
    let items = try (1...60).map {
      try Records.value(
        #"{"id":"order-\#(two($0))","amount":"\#($0).25","paid":\#($0 % 2 == 0),"tag":"batch-\#($0 % 5)"}"#)
    }
    try expectSome(25, of: items, in: "out/items.jsonl", workspace)
  }
}
