import Foundation
import Testing

/// What `init` writes is read by `check` without a complaint, whatever it was made of.
@Suite(.timeLimit(.minutes(1))) struct InitCommandTests {
  @Test(arguments: [
    "curl https://x.test/v1/items?page=1 -H 'Authorization: Bearer abc'",
    "curl https://x.test/ -u me:pass", "curl https://x.test/a -u key:", "curl https://u:p@x.test/a/1/2",
    "curl 'https://x.test/a?api_key=abc&id=1&id=2&empty=&q={{ x }}' -H 'Cookie: a=b' -H 'X: {{ y }}'",
    "curl 'https://x.test/a%20b?key=abcdefghijklmno' -H 'X-Api-Key: a' -H 'x-api-key: b' -H 'Connection: close'",
    #"curl https://x.test/graphql -H 'Authorization: $TOKEN' -d '{"query":"{ a }"}'"#,
    "curl https://x.test/form -d 'a=1&b={{2}}' -H 'Authorization: Token t'",
  ])
  func `a draft of a curl line passes check`(_ curl: String) async throws {
    let bench = try Workbench()
    let drafted = try await bench.run(["init", "--offline", "--curl", curl, "-o", bench.path("flows/a.yaml")])
    #expect(drafted.code == 0, "\(drafted.err)")
    try await expectFine(bench)
  }

  @Test(arguments: [
    "application/json", "application/hal+json",
  ])
  func `a draft of an OpenAPI document passes check`(_ type: String) async throws {
    let list =
      #"{"type":"array","items":{"type":"object","properties":{"id":{"type":"integer"},"no":{"type":"string"},"a b":{"type":"string"},"kind":{"type":"string","enum":["x","x"]}}}}"#
    func operation(_ more: String, _ schema: String) -> String {
      #"{"get":{\#(more)"responses":{"200":{"headers":{"X-Total-Count":{"schema":{"type":"integer"}}},"content":{"\#(type)":{"schema":\#(schema)}}}}}}"#
    }
    let pages =
      #""parameters":[{"name":"page","in":"query","schema":{"type":"integer"}},{"name":"size","in":"query","schema":{"type":"integer","maximum":50}},{"name":"X-Tenant","in":"header","required":true}],"#
    let paths = [
      #""/":\#(operation("", list))"#, #""/pets":\#(operation(pages, list))"#, #""/pets/{id}":\#(operation("", "{}"))"#,
      #""/pets/{id}/visits":\#(operation(#""security":[{"b":[]}],"#, list))"#,
      #""/pets/{petId}/visits/{id}/bills":\#(operation(#""security":[{"c":["r w"]}],"#, list))"#,
      #""/{tenant-id}/x/{1st}":\#(operation(#""security":[{"k":[],"l":[]}],"#, list))"#,
      #""/é/{ü}":\#(operation(#""security":[{}],"#, #"{"type":"object"}"#))"#,
    ]
    let document = #"""
      {"openapi":"3.1.0","info":{"title":"A: {{ b }}\n#c"},"servers":[{"url":"https://x.test/v1"}],"security":[{"k":[]}],
      "components":{"securitySchemes":{"b":{"type":"http","scheme":"Basic"},
      "c":{"type":"oauth2","flows":{"clientCredentials":{"tokenUrl":"https://x.test/t"}}},
      "k":{"type":"apiKey","in":"query","name":"a key"},"l":{"type":"apiKey","in":"cookie","name":"s"}}},
      "paths":{\#(paths.joined(separator: ","))}}
      """#
    let bench = try Workbench(["api.json": document])
    let drafted = try await bench.run(["init", bench.path("api.json"), "-o", bench.path("flows/a.yaml")])
    #expect(drafted.code == 0, "\(drafted.err)")
    try await expectFine(bench)
  }

  @Test(arguments: [
    #"{"data":[{"id":1}],"total":3,"limit":1}"#, #"[{"id":1,"a b":"x","":1}]"#, #"{"data":[],"next":"x"}"#, "[]", "1",
    #"{"a b":[{"x":1}],"links":[{"rel":"next","href":"/b"}]}"#,
  ])
  func `a draft of a response passes check`(_ sample: String) async throws {
    let bench = try Workbench(["sample.json": sample])
    let drafted = try await bench.run(["init", bench.path("sample.json"), "-o", bench.path("flows/a.yaml")])
    #expect(drafted.code == 0, "\(drafted.err)")
    try await expectFine(bench)
  }

  private func expectFine(_ bench: Workbench) async throws {
    let checked = try await bench.run(["check", bench.path("flows")])
    let text = try String(contentsOfFile: bench.path("flows/a.yaml"), encoding: .utf8)
    #expect(checked.code == 0 && !checked.err.contains("error"), "\(checked.err)\n\(text)")
  }
}
