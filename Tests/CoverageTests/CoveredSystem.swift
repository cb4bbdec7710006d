import Foundation
import TestSupport

/// A system with its constructs: a file of `Systems`.
struct CoveredSystem: Sendable {
  /// A line that is none of a system's file.
  struct UnreadableLine: Error, CustomStringConvertible {
    var description: String
  }

  /// The file's name without its extension.
  var id: String
  var title = ""
  /// What of the system is compared.
  var subject = ""
  var version = ""
  var url = ""
  /// All constructs of the system, independently of the rows.
  var names: [String] = []
  var rows: [CoverageRow] = []

  /// Keys of ours that no other system has.
  var isOwn: Bool { id == "own" }

  /// Reads a file's text: lines `system:`, `of:`, `version:`, `url:` and `names:`, then a line for each construct.
  init(id: String, text: String) throws {
    self.id = id
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() where !line.isEmpty
    {
      if let row = CoverageRow(line) {
        rows.append(row)
      } else if let colon = line.firstIndex(of: ":"), !line.contains("|") {
        let value = String(line[line.index(after: colon)...].drop { $0 == " " })
        switch line[..<colon] {
        case "system": title = value
        case "of": subject = value
        case "version": version = value
        case "url": url = value
        case "names": names += value.split(separator: " ").map(String.init)
        default: throw UnreadableLine(description: "\(id).txt:\(index + 1): unknown line '\(line)'")
        }
      } else {
        throw UnreadableLine(
          description: "\(id).txt:\(index + 1): not 'name | full, partly or no | keys | recipe | tests | note': \(line)"
        )
      }
    }
  }

  func count(_ extent: CoverageRow.Extent) -> Int { rows.count { $0.extent == extent } }

  /// The systems in the order of the page, our own keys last.
  static let ids = ["airbyte", "dlt", "singer", "sling", "redpanda-connect", "telegraf", "own"]

  static func all() throws -> [CoveredSystem] { try ids.map(read) }

  static func read(_ id: String) throws -> CoveredSystem {
    let file = folder.appendingPathComponent("\(id).txt")
    return try CoveredSystem(id: id, text: String(contentsOf: file, encoding: .utf8))
  }

  static let folder = Repository.root.appendingPathComponent("Tests/CoverageTests/Systems")
}
