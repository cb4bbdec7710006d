import Foundation
import StreamCompression

/// A temporary folder; removed at the end.
final class Scratch: Sendable {
  let folder: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("flows-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func path(_ name: String) -> String { "\(folder)/\(name)" }

  func bytes(_ name: String) -> [UInt8]? { FileManager.default.contents(atPath: path(name)).map { Array($0) } }

  /// The text of a file, decompressed if its name ends with `.gz` or `.zst`; nil when it is not whole.
  func text(_ name: String) -> String? {
    guard let bytes = bytes(name) else { return nil }
    guard let ending = name.split(separator: ".").last, let format = CompressionFormat(fileExtension: String(ending))
    else { return String(decoding: bytes, as: UTF8.self) }
    var text: [UInt8] = []
    do throws(CompressionError) {
      let decompressor = try Decompressor(format)
      decompressor.feed(bytes)
      while let piece = try decompressor.next() { text += piece }
      try decompressor.finish()
    } catch {
      return nil
    }
    return String(decoding: text, as: UTF8.self)
  }

  func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
  }

  func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
  }

  /// Walks into mounted file systems too, but not into links.
  private func names(below sub: String) -> [String] {
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: path(sub))) ?? []
    return entries.flatMap { entry -> [String] in
      let name = sub + entry
      let attributes = try? FileManager.default.attributesOfItem(atPath: path(name))
      let isFolder = attributes?[.type] as? FileAttributeType == .typeDirectory
      return isFolder ? names(below: name + "/") : [name]
    }
  }

  /// All files below the folder, hidden ones too, sorted.
  func names() -> [String] {
    names(below: "").sorted()
  }
}

/// Runs a program to its end; its exit status, or -1 when it cannot be started.
@discardableResult
func run(_ program: String, _ arguments: String...) -> Int32 {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = [program] + arguments
  process.standardOutput = FileHandle.nullDevice
  process.standardError = FileHandle.nullDevice
  guard (try? process.run()) != nil else { return -1 }
  process.waitUntilExit()
  return process.terminationStatus
}

extension Scratch {
  func inode(_ name: String) throws -> Int? {
    (try FileManager.default.attributesOfItem(atPath: path(name))[.systemFileNumber] as? NSNumber)?.intValue
  }
}
