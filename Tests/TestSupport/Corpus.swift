public import Foundation

/// Public compliance suites, read from beside the checkout; tests that need one skip, saying so, where it is absent.
public enum Corpus {
  /// The folder of a suite (`jsonpath-cts`, `yaml-test-suite`, …), or nil where it is absent.
  public static func folder(_ name: String, file: StaticString = #filePath) -> URL? {
    let override = ProcessInfo.processInfo.environment["REACTOR_CORPUS"].map { URL(fileURLWithPath: $0) }
    let repository = URL(fileURLWithPath: "\(file)")
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let beside = repository.deletingLastPathComponent().appendingPathComponent("shared/corpus")
    let folder = (override ?? beside).appendingPathComponent(name)
    return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
  }
}
