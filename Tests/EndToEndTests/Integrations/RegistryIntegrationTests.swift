import Foundation
import TestSupport
import Testing

/// `flows/docker-registry.yaml` against a real registry: relative Link headers, and children of children.
@Suite(.timeLimit(.minutes(3))) struct RegistryIntegrationTests {
  /// The five images with layers; the first layer of each is its name and `layer 1` as one line, the second twice that.
  private static let images = [
    ("library/alpine", ["3.19", "latest"]), ("shop/api", ["1.0.0", "1.1.0", "latest"]), ("shop/web", ["2024-01-01"]),
    ("tools/lint", ["stable"]), ("tools/notes-and_more", ["v1"]),
  ]

  @Test func `every tag of every repository of all pages points to what was pushed`() async throws {
    guard let registry = try await Integration("docker-registry.yaml", server: "registry") else { return }
    let summary = try await registry.run("-s", "docker-registry.manifests")
    #expect(try summary.flow("catalogue").records == 125)
    #expect(try summary.flow("all_tags").records == 128)
    #expect(try summary.flow("manifests").records == 128)

    let archived = (0..<120).map { "archive/\(Integration.padded($0, to: 3))" }
    let pairs =
      archived.map { ($0, "final") } + Self.images.flatMap { image in image.1.map { (image.0, $0) } }
    // A repository's tags come in no order.
    let tags = try registry.records("registry/all-tags.jsonl")
    #expect(
      try Set(tags)
        == Set(
          pairs.map { pair in
            let isRelease = ["1.0.0", "1.1.0"].contains(pair.1)
            return try Records.value(#"{"repository":"\#(pair.0)","tag":"\#(pair.1)","release":\#(isRelease)}"#)
          }))
    #expect(tags.count == 128)
    let repositories = tags.compactMap { ($0 as? [String: NSObject])?["repository"] as? String }
    #expect(repositories == pairs.map(\.0))

    let manifests = try registry.records("registry/manifests.jsonl").compactMap { $0 as? [String: NSObject] }
    #expect(manifests.count == 128)
    for manifest in manifests {
      let name = try #require(manifest["repository"] as? String)
      let line = "\(name) layer 1\n".utf8.count
      let sizes = name.hasPrefix("archive/") ? [] : [line, line * 2]
      #expect(manifest["sizes"] as? [Int] == sizes, "\(name)")
      #expect(manifest["layers"] as? Int == sizes.count)
      #expect(manifest["bytes"] as? Int == sizes.reduce(0, +))
      let config = try #require(manifest["config"] as? String)
      #expect(config.hasPrefix("sha256:") && config.count == 71)
    }
  }

  @Test func `a tag that is gone is left out, and everything else is there`() async throws {
    guard let registry = try await Integration("docker-registry.yaml", server: "registry") else { return }
    try registry.workspace.write(
      """
      reactor: 1
      vars: { registry: http://127.0.0.1:9 }
      http: { base_url: "{{ vars.registry }}/v2" }
      flows:
        manifests:
          each: { product: [{ values: [shop/api, shop/web], as: name }, { values: [latest, 2024-01-01, gone], as: tag }] }
          resource:
            path: "/{+name}/manifests/{tag}"
            params: { name: "{{ name }}", tag: "{{ tag }}" }
            headers: { Accept: application/vnd.docker.distribution.manifest.v2+json }
          errors: [{ when: "status == 404 && response.errors[0].code == 'MANIFEST_UNKNOWN'", do: skip }]
          schema: { fields: { name: { value: "{{ name }}" }, tag: { value: "{{ tag }}" } } }
          persistence: out/found.jsonl
      """, to: "flows/found.yaml")
    let outcome = try await registry.workspace.start(["run"], environment: registry.environment).end()
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    #expect(
      try registry.records("found.jsonl")
        == Records.expected(#"{"name":"shop/api","tag":"latest"}"#, #"{"name":"shop/web","tag":"2024-01-01"}"#))
  }
}
