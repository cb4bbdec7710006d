import Foundation
import Testing

/// Texts compared with files in `Goldens/`; `RECORD_SNAPSHOTS=1` records them (and then fails the run).
enum Golden {
  static let isRecording = ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1"

  private static func folder(_ file: StaticString = #filePath) -> URL {
    URL(fileURLWithPath: "\(file)").deletingLastPathComponent().appendingPathComponent("Goldens")
  }

  /// Compares a text with its file.
  static func check(_ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let file = folder().appendingPathComponent(name + ".txt")
    if isRecording {
      try FileManager.default.createDirectory(at: folder(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
      Issue.record("recorded \(name); run again without RECORD_SNAPSHOTS", sourceLocation: sourceLocation)
      return
    }
    let expected = try? String(contentsOf: file, encoding: .utf8)
    #expect(text == expected, sourceLocation: sourceLocation)
  }

  /// The names of all files.
  static func names() throws -> Set<String> {
    Set(
      try FileManager.default.contentsOfDirectory(atPath: folder().path).filter { $0.hasSuffix(".txt") }
        .map { String($0.dropLast(4)) })
  }
}
