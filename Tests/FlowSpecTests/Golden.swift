import Foundation
import Testing

/// Texts compared with committed files; `RECORD_SNAPSHOTS=1` records them (and then fails the run).
enum Golden {
  static let isRecording = ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1"

  static let repository = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Compares a text with a file of the repository.
  static func check(_ text: String, _ path: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let file = repository.appendingPathComponent(path)
    guard isRecording else {
      let expected = try? String(contentsOf: file, encoding: .utf8)
      #expect(
        text == expected, "\(path) has drifted; RECORD_SNAPSHOTS=1 writes it anew", sourceLocation: sourceLocation)
      return
    }
    guard (try? String(contentsOf: file, encoding: .utf8)) != text else { return }
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    Issue.record("recorded \(path); run again without RECORD_SNAPSHOTS", sourceLocation: sourceLocation)
  }

  /// The names of the golden renderings.
  static func names() throws -> Set<String> {
    let folder = repository.appendingPathComponent("Tests/FlowSpecTests/Goldens").path
    return Set(
      try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".txt") }
        .map { String($0.dropLast(4)) })
  }
}
