import Foundation
import TestSupport
import Testing

/// Records as another JSON reader sees them, so that what we wrote is not judged by what wrote it.
enum Records {
  /// The records of a `.jsonl` file: each line one whole object, nothing between or after.
  static func lines(_ text: String?, _ location: SourceLocation = #_sourceLocation) throws -> [NSObject] {
    let text = try #require(text, "the file is not there", sourceLocation: location)
    #expect(text.isEmpty || text.hasSuffix("\n"), "the last line is not ended", sourceLocation: location)
    return try text.split(separator: "\n").map { try value(String($0), location) }
  }

  /// The records of a `.json` file: one array.
  static func array(_ text: String?, _ location: SourceLocation = #_sourceLocation) throws -> [NSObject] {
    let text = try #require(text, "the file is not there", sourceLocation: location)
    return try #require(try value(text, location) as? [NSObject], "not an array", sourceLocation: location)
  }

  /// One JSON text.
  static func value(_ text: String, _ location: SourceLocation = #_sourceLocation) throws -> NSObject {
    let any = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
    return try #require(any as? NSObject, sourceLocation: location)
  }

  /// What is expected, each record as JSON text.
  static func expected(_ records: String...) throws -> [NSObject] { try records.map { try value($0) } }
}

extension Summary {
  init(_ outcome: Program.Outcome, _ location: SourceLocation = #_sourceLocation) throws {
    do {
      try self.init(parsing: outcome.stdout)
    } catch {
      Issue.record("no summary: \(error)\n\(outcome.stdout)\n\(outcome.stderr)", sourceLocation: location)
      throw error
    }
    #expect(exit == outcome.status, "the summary's exit code is not the program's", sourceLocation: location)
  }

  /// The flow whose id ends in `.name`.
  func flow(_ name: String, _ location: SourceLocation = #_sourceLocation) throws -> Flow {
    try #require(
      flows.first { $0.id == name || $0.id.hasSuffix(".\(name)") }, "no flow '\(name)' in the summary",
      sourceLocation: location)
  }
}
