package import Foundation

/// Where things are: the checkout these tests were built from, and the programs that the same build made.
package enum Repository {
  /// The checkout's folder.
  package static let root = URL(fileURLWithPath: "\(#filePath)")
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The flows that are shipped.
  package static let flows = root.appendingPathComponent("flows")

  /// A program beside the test bundle; `REACTOR_BINARY` names another `reactor`.
  package static func program(_ name: String) throws -> String {
    if name == "reactor", let chosen = ProcessInfo.processInfo.environment["REACTOR_BINARY"] { return chosen }
    let beside =
      Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
      + [
        URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent(),
        root.appendingPathComponent(".build/debug"),
      ]
    for folder in beside {
      let path = folder.appendingPathComponent(name).path
      if FileManager.default.isExecutableFile(atPath: path) { return path }
    }
    throw Missing(what: "the program '\(name)' (looked in \(beside.map(\.path).joined(separator: ", ")))")
  }

  /// Something that a test cannot do without.
  package struct Missing: Error, CustomStringConvertible {
    package var what: String

    package init(what: String) { self.what = what }

    package var description: String { "missing: \(what)" }
  }
}
