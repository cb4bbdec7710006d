public import Records
public import StreamCompression

/// The path of a flow's persisted result, relative to the output root and never outside it.
///
///     let path = try OutputPath(parsing: "./out//users.jsonl")
///     path.text    // "out/users.jsonl"
///     path.format  // .jsonLines
///
/// Parsing does not access the disk, so a flow checker can use it. Two flows write the same file exactly when their
/// paths are equal. As with `String`, paths that differ only in Unicode composition are equal; some file systems need
/// this.
public struct OutputPath: Sendable, Hashable, CustomStringConvertible {
  /// The folders from the root down, then the file name. The array is never empty. No component is `.` or `..`.
  public let components: [String]
  /// The format of the records in the file.
  public let format: RecordFormat
  /// How the file is compressed; nil for a file that is not. It is determined by the second extension:
  /// `users.jsonl.gz`.
  public let compression: CompressionFormat?

  /// The path with single slashes and without `.`.
  public var text: String { components.joined(separator: "/") }
  /// The last component.
  public var name: String { components.last ?? "" }
  /// The folders from the root down. Empty for a file in the root itself.
  public var folders: ArraySlice<String> { components.dropLast() }
  /// The path's text.
  public var description: String { text }

  /// The maximum length of one component in UTF-8 bytes, which is the limit of Linux file systems.
  public static let maxComponentBytes = 255
  /// The maximum length of a whole path in UTF-8 bytes.
  public static let maxBytes = 1024
  /// The folders for files that people write and review.
  private static let projectFolders: Set<String> = ["flows", "schemas", "fixtures"]
  /// The prefix of the names of the storage's own files.
  static let reservedPrefix = ".reactor"

  /// Parses a path from a flow file, after templates were filled in.
  ///
  /// - Throws: the first error found
  public init(parsing text: String) throws(OutputPath.ParsingError) {
    let components = try OutputPath.components(of: text)
    let name = components[components.count - 1]
    guard let (stem, last) = OutputPath.splitExtension(name[...]) else { throw .noExtension(name) }
    compression = CompressionFormat(fileExtension: last)
    var fileExtension = last
    if compression != nil {
      guard let (_, inner) = OutputPath.splitExtension(stem) else { throw .unknownExtension(last) }
      fileExtension = inner
    }
    guard let format = RecordFormat(fileExtension: fileExtension) else { throw .unknownExtension(fileExtension) }
    self.components = components
    self.format = format
  }

  /// Parses the path of a file of any kind: a download, or a database. Its name says nothing about its content.
  ///
  /// - Throws: the first error found
  package init(ofAnyFile text: String) throws(OutputPath.ParsingError) {
    let components = try OutputPath.components(of: text)
    // In these folders, the file could be mistaken for a flow file or for a golden.
    guard components.count == 1 || !OutputPath.projectFolders.contains(components[0]) else {
      throw .project(components[0])
    }
    self.init(components: components, format: .json, compression: nil)
  }

  /// The components of a path, at least one.
  private static func components(of text: String) throws(OutputPath.ParsingError) -> [String] {
    guard !text.isEmpty else { throw .empty }
    if let scalar = text.unicodeScalars.first(where: OutputPath.isHidden) { throw .hiddenCharacter(scalar) }
    if text.unicodeScalars.contains("\\") { throw .backslash }
    // The path is split by bytes: a slash with a combining mark is one `Character`, but the system treats it as a
    // separator.
    guard text.utf8.first != UInt8(ascii: "/") else { throw .absolute }
    let parts = text.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    guard !parts.contains("..") else { throw .leadsUpwards }
    let components = parts.filter { $0 != "." }
    guard !components.isEmpty, text.utf8.last != UInt8(ascii: "/"), parts.last != "." else { throw .noFile }
    for component in components {
      guard component.utf8.count <= OutputPath.maxComponentBytes else { throw .tooLong(component) }
      guard component.utf8.first != UInt8(ascii: " "), component.utf8.last != UInt8(ascii: " ") else {
        throw .spaceAtEdge(component)
      }
      guard !component.utf8.starts(with: OutputPath.reservedPrefix.utf8) else { throw .hidden(component) }
    }
    for folder in components.dropLast() where folder.utf8.first == UInt8(ascii: ".") { throw .hidden(folder) }
    guard components.reduce(components.count - 1, { $0 + $1.utf8.count }) <= OutputPath.maxBytes else {
      throw .tooLong(text)
    }
    return components
  }

  /// Splits a file name at its last dot; nil without an extension, or with nothing before it.
  private static func splitExtension(_ name: Substring) -> (stem: Substring, fileExtension: String)? {
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return nil }
    return (name[..<dot], String(name[name.utf8.index(after: dot)...]))
  }

  /// Returns a path in the same folder with another name, which must have the same extension.
  func renamed(_ name: String) -> OutputPath {
    OutputPath(components: folders + [name], format: format, compression: compression)
  }

  /// Returns the path of a JSON file with the program's own state, in `.reactor/FOLDER` below the root.
  package static func state(_ name: String, in folder: String) -> OutputPath {
    OutputPath(components: [reservedPrefix, folder, name], format: .json, compression: nil)
  }

  /// Creates the path of the manifest that lists the files of a split result, in `.reactor/splits`.
  init(manifest name: String, format: RecordFormat) {
    self.init(components: [OutputPath.reservedPrefix, "splits", name], format: format, compression: nil)
  }

  private init(components: [String], format: RecordFormat, compression: CompressionFormat?) {
    self.components = components
    self.format = format
    self.compression = compression
  }

  /// Whether a character breaks lines, moves the cursor or changes the reading direction.
  ///
  /// A terminal or a report does not show a name with such a character as it is.
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029: true  // controls, line and paragraph separator
    case 0x200E, 0x200F, 0x061C, 0x202A...0x202E, 0x2066...0x2069: true  // direction marks
    case 0xFEFF: true  // byte order mark
    default: false
    }
  }
}
