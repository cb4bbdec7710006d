internal import Foundation
internal import StreamCompression

/// A temporary folder; removed at the end.
package final class Scratch: Sendable {
  package let folder: String

  package init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("flows-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  package func path(_ name: String) -> String { "\(folder)/\(name)" }

  package func bytes(_ name: String) -> [UInt8]? { FileManager.default.contents(atPath: path(name)).map { Array($0) } }

  /// The text of a file, decompressed if its name ends with `.gz` or `.zst`; nil when it is not whole.
  package func text(_ name: String) -> String? {
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

  package func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
  }

  package func makeFolder(_ name: String) throws {
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
  package func names() -> [String] {
    names(below: "").sorted()
  }

  package func inode(_ name: String) throws -> Int? {
    (try FileManager.default.attributesOfItem(atPath: path(name))[.systemFileNumber] as? NSNumber)?.intValue
  }
}
