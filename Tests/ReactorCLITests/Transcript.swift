import Foundation
import Testing

/// A text that the program printed, compared with its file in `Goldens`. A guide may show parts of such a file.
enum Transcript {
  private static let isRecording = ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1"

  static func check(_ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let file = URL(fileURLWithPath: "\(#filePath)").deletingLastPathComponent()
      .appendingPathComponent("Goldens/\(name)")
    if isRecording {
      try Data(text.utf8).write(to: file)
      Issue.record("recorded \(name); run again without RECORD_SNAPSHOTS", sourceLocation: sourceLocation)
      return
    }
    #expect(text == (try? String(contentsOf: file, encoding: .utf8)), sourceLocation: sourceLocation)
  }
}
