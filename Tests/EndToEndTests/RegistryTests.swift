import Foundation
import TestSupport
import Testing

/// The shipped registry flows against a real container registry that holds five pushed images and 120 archived
/// ones without layers.
@Suite(.timeLimit(.minutes(3)))
struct RegistryTests {
  private func run(_ arguments: String..., in workspace: Workspace, _ environment: [String: String]) async throws
    -> Program.Outcome
  {
    try await workspace.start(
      ["run", Repository.flows.appendingPathComponent("docker-registry.yaml").path, "--format", "json"] + arguments,
      environment: environment
    ).end()
  }

  @Test func `catalogue, tags and layers are what was pushed`() async throws {
    guard let environment = try await RealServers.environment(for: "registry") else { return }
    let workspace = try Workspace()
    let outcome = try await run(in: workspace, environment)
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    #expect(try Summary(outcome).flows.map(\.records) == [125, 3, 1, 2, 128, 128])

    let archived = try (0..<120).map { try Records.value(#"{"name":"archive/\#(String(1000 + $0).dropFirst())"}"#) }
    #expect(
      try Records.lines(workspace.text("out/registry/catalogue.jsonl"))
        == archived
        + Records.expected(
          #"{"name":"library/alpine"}"#, #"{"name":"shop/api"}"#, #"{"name":"shop/web"}"#, #"{"name":"tools/lint"}"#,
          #"{"name":"tools/notes-and_more"}"#))
    #expect(
      try Set(Records.lines(workspace.text("out/registry/tags.jsonl")))
        == Set(Records.expected(#"{"tag":"1.0.0"}"#, #"{"tag":"1.1.0"}"#, #"{"tag":"latest"}"#)))
    let image = try #require(try Records.array(workspace.text("out/registry/image.json")).first as? [String: NSObject])
    #expect(image["name"] as? String == "shop/api")
    #expect(Set(image["tags"] as? [String] ?? []) == ["1.0.0", "1.1.0", "latest"])
    let layers = try Records.rows(workspace.text("out/registry/layers.csv"))
    #expect(layers.first == ["digest", "bytes", "type"])
    // The layers are "shop/api layer N\n", N times.
    #expect(layers.dropFirst().map { $0[1] } == ["17", "34"])
    #expect(layers.dropFirst().allSatisfy { $0[0].hasPrefix("sha256:") && $0[0].count == 71 })
    #expect(layers.dropFirst().allSatisfy { $0[2] == "application/vnd.docker.image.rootfs.diff.tar.gzip" })
  }

  @Test func `a name with unusual characters is found and one that is not there is an error`() async throws {
    guard let environment = try await RealServers.environment(for: "registry") else { return }
    let workspace = try Workspace()
    let found = try await run(
      "--select", "tags", "--var", "image=tools/notes-and_more", in: workspace, environment)
    #expect(found.status == 0, "\(found.stderr)")
    #expect(try Records.lines(workspace.text("out/registry/tags.jsonl")) == Records.expected(#"{"tag":"v1"}"#))
    let before = workspace.bytes("out/registry/tags.jsonl")
    let missing = try await run("--select", "tags", "--var", "image=nobody/nothing", in: workspace, environment)
    #expect(missing.status == 5)
    #expect(workspace.bytes("out/registry/tags.jsonl") == before)
  }
}
