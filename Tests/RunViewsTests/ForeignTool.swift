import Foundation

/// Programs of others that read what we write; a test that lacks one says so and ends.
enum ForeignTool {
  struct Ended {
    let status: Int32
    let output: String
  }

  static let repository = URL(fileURLWithPath: "\(#filePath)").deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// A program on PATH, else nil with a line that says so.
  static func find(_ names: String..., for purpose: String) -> String? {
    for name in names {
      for folder in (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":") {
        let path = "\(folder)/\(name)"
        if FileManager.default.isExecutableFile(atPath: path) { return path }
      }
    }
    print("skipped: \(purpose): there is no \(names.joined(separator: " or ")); scripts/report-readers install")
    return nil
  }

  /// The Python with the readers, else nil with a line that says so.
  static func python(for purpose: String) throws -> String? {
    let script = repository.appendingPathComponent("scripts/report-readers").path
    let ended = try run("/bin/bash", [script, "python"])
    if ended.status == 0 { return ended.output.trimmingCharacters(in: .whitespacesAndNewlines) }
    print("skipped: \(purpose): the Python readers are not there; scripts/report-readers install")
    return nil
  }

  static func run(_ program: String, _ arguments: [String]) throws -> Ended {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("tool-\(UUID().uuidString)")
    try Data().write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let handle = try FileHandle(forWritingTo: file)
    process.standardOutput = handle
    process.standardError = handle
    try process.run()
    process.waitUntilExit()
    try handle.close()
    return Ended(status: process.terminationStatus, output: try String(contentsOf: file, encoding: .utf8))
  }

  /// A file with these bytes while `use` runs.
  static func withFile<Value>(_ bytes: [UInt8], _ name: String, _ use: (String) throws -> Value) throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("reactor-views-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent(name)
    try Data(bytes).write(to: file)
    return try use(file.path)
  }
}
