@testable import FlowSpec
import Foundation
import Testing

/// What results belong to must stay the same from one version of the program to the next: otherwise an update makes each
/// flow request everything anew. `Goldens/identities.txt` has the identities and the schemas' fingerprints of the flows by
/// which the edits of all keys are tried. `RECORD_SNAPSHOTS=1` writes it anew (and then fails the run): only for new keys,
/// or for a change that is meant to make results worthless.
@Suite struct IdentitySnapshotTests {
  private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Goldens/identities.txt")

  /// The identities of all tried keys: a line for each, with the flows before and after its edit.
  private static func found() -> String {
    EditCase.tried.map { edit in
      let versions = edit.versions().map { [$0.before, $0.after] } ?? []
      return "\(edit.testDescription): " + versions.map { $0.joined(separator: ", ") }.joined(separator: " | ") + "\n"
    }.joined()
  }

  @Test func `results of earlier versions stay in use`() throws {
    let found = Self.found()
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
      try FileManager.default.createDirectory(
        at: Self.file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(found.utf8).write(to: Self.file)
      Issue.record("recorded the identities; run again without RECORD_SNAPSHOTS")
      return
    }
    let recorded = try String(contentsOf: Self.file, encoding: .utf8)
    let earlier = Set(recorded.split(separator: "\n"))
    let changed = found.split(separator: "\n").filter { !earlier.contains($0) }
    #expect(changed == [])
    #expect(earlier.count == EditCase.tried.count)
  }
}
