import Foundation
import TestSupport
import Testing

/// What the drills share: one change at a time in files that were recorded once.
extension Workspace {
  /// A workspace that holds these files.
  static func holding(_ files: [String: String]) throws -> Workspace {
    let workspace = try Workspace()
    for (file, text) in files { try workspace.write(text, to: file) }
    return workspace
  }

  /// The texts of all files, by their paths.
  var texts: [String: String] {
    var texts: [String: String] = [:]
    for file in files() { texts[file] = text(file) }
    return texts
  }

  /// Puts a text in place of another one, which must be there.
  func replace(_ old: String, with new: String, in file: String) throws {
    let text = try #require(self.text(file))
    let range = try #require(text.range(of: old), "\(file) must hold what is changed: \(text)")
    try write(text.replacingCharacters(in: range, with: new), to: file)
  }
}

extension Program.Outcome {
  /// Whether the first lines of the messages name a place, and not one whose number only begins like it.
  func names(_ location: String, within lines: Int) -> Bool {
    stderr.split(separator: "\n").prefix(lines).contains { line in
      line.ranges(of: location).contains { !(line[$0.upperBound...].first?.isNumber ?? false) }
    }
  }

  /// Lines of messages.
  var messageLines: Int { stderr.split(separator: "\n").count }
}
