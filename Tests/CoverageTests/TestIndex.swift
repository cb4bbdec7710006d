import Foundation
import TestSupport

/// The tests of the repository: which file has a test of a suite.
struct TestIndex: Sendable {
  private var files: [CoverageRow.Test: String] = [:]

  init() throws {
    let folder = Repository.root.appendingPathComponent("Tests")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    for path in paths.sorted() where path.hasSuffix(".swift") {
      let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
      var suites: [String] = []
      for line in text.split(separator: "\n") {
        if let suite = Self.suite(of: line) { suites.append(suite) }
        guard let start = line.range(of: "func `")?.upperBound, let end = line[start...].firstIndex(of: "`") else {
          continue
        }
        for suite in suites { files[CoverageRow.Test(suite: suite, name: String(line[start..<end]))] = path }
      }
    }
  }

  /// The file of a test, below `Tests`; nil if it does not exist.
  subscript(test: CoverageRow.Test) -> String? { files[test] }

  private static func suite(of line: Substring) -> String? {
    for keyword in ["struct ", "extension "] {
      guard let start = line.range(of: keyword)?.upperBound else { continue }
      let name = line[start...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      if name.hasSuffix("Tests") { return String(name) }
    }
    return nil
  }
}
