internal import ByteCodings
internal import JSONSyntax
internal import ReactorCore

/// The files of a result that is split by values of its records.
///
/// The manifest is the content of the result's own file, whose stamp identifies the result. Readers of the result read
/// the manifest first, so all files become valid together, when the manifest is published.
public struct SplitManifest: Sendable {
  /// One file.
  public struct File: Sendable {
    /// The path below the root.
    public let path: OutputPath
    /// The size in bytes.
    public let size: Int64
    /// The `ContentHash` of the bytes.
    public let hash: UInt64
    /// The name of the staged file, which gets its final name after the publication; nil for a file that already has
    /// its final name.
    public let part: String?
  }

  /// The files in the order of their first records.
  public var files: [File] = []
  /// Files of earlier results, which are removed after the publication.
  public var gone: [File] = []

  init() {}

  private static let format = "reactor-split-"

  /// The text of the manifest: one line of JSON for each file.
  func encoded() -> [UInt8] {
    var bytes = Array("{\"version\":\"\(Self.format)\(StateVersion.splits.number)\"}\n".utf8)
    for (list, member) in [(files, "path"), (gone, "gone")] {
      for file in list {
        var object = JSONObject()
        object[member] = .string(file.path.text)
        object["size"] = .integer(file.size)
        object["hash"] = .string(Hex.text(file.hash))
        if let part = file.part { object["part"] = .string(part) }
        bytes += JSONWriter.bytes(.object(object)) + [0x0A]
      }
    }
    return bytes
  }

  /// Reads a manifest.
  ///
  /// - Throws: an error when it is damaged or of a later version
  init(parsing bytes: [UInt8], at path: String) throws(ReactorError) {
    var lines = bytes.split(separator: 0x0A)[...]
    let first = lines.popFirst().flatMap { try? JSONValue(parsing: Array($0)) }
    try Self.check(bytes, at: path)
    guard first?["version"]?.string == "\(Self.format)\(StateVersion.splits.number)" else { throw Self.damaged(path) }
    for line in lines {
      guard let value = try? JSONValue(parsing: Array(line)), let size = value["size"]?.int64, size >= 0,
        let text = value["hash"]?.string, let hash = UInt64(text, radix: 16),
        let name = value["path"]?.string ?? value["gone"]?.string, let place = try? OutputPath(parsing: name)
      else { throw Self.damaged(path) }
      let part = value["part"]?.string
      guard part?.utf8.allSatisfy({ $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ".") }) ?? true else {
        throw Self.damaged(path)
      }
      let file = File(path: place, size: size, hash: hash, part: part)
      if value["path"] == nil { gone.append(file) } else { files.append(file) }
    }
  }

  /// Refuses a manifest of a later version; other contents are not judged.
  static func check(_ bytes: [UInt8], at path: String) throws(ReactorError) {
    let first = (try? JSONValue(parsing: Array(bytes.prefix { $0 != 0x0A })))?["version"]?.string ?? ""
    guard first.hasPrefix(format) else { return }
    try StateVersion.splits.check(Int64(first.dropFirst(format.count)), at: path)
  }

  private static func damaged(_ path: String) -> ReactorError {
    .persistence("\(path), the list of the result's files, is damaged (run the flow again)", path: path)
  }
}

extension OutputPath {
  /// The path of the manifest of a result that is split, in `.reactor/splits` below the root.
  ///
  /// - Parameters:
  ///   - template: the path as the flow file writes it, with its expressions; it identifies the result
  ///   - sample: the path of any file of the result; the manifest's path gets its format
  package static func manifest(of template: String, like sample: OutputPath) -> OutputPath {
    OutputPath(manifest: Hex.text(ContentHash.of(template.utf8)), format: sample.format)
  }
}
