internal import Records

extension OutputPath {
  /// The reason why a text is not an output path.
  public enum ParsingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The text is empty.
    case empty
    /// The path begins with a slash.
    case absolute
    /// The path contains `..`.
    case leadsUpwards
    /// The path ends with a slash or `.`, so it names a folder.
    case noFile
    /// The path contains a control character, a line separator or a mark that changes the reading direction.
    case hiddenCharacter(Unicode.Scalar)
    /// The path contains a backslash.
    case backslash
    /// A component begins or ends with a space.
    case spaceAtEdge(String)
    /// A folder is hidden, like the folders of reactor and of Git, or the file has a name that is reserved for
    /// reactor's own files.
    case hidden(String)
    /// The path is in a folder with files that people write and review.
    case project(String)
    /// A component or the whole path is longer than file systems allow.
    case tooLong(String)
    /// The file name has no extension, or nothing before the extension.
    case noExtension(String)
    /// The extension is not the extension of a format.
    case unknownExtension(String)

    /// The error message, in lower case and without a full stop.
    public var description: String {
      switch self {
      case .empty: "the output path is empty"
      case .absolute: "the output path is absolute"
      case .leadsUpwards: "'..' is not allowed in an output path"
      case .noFile: "the output path names a folder, not a file"
      case .hiddenCharacter(let scalar):
        "the output path contains the hidden character U+\(OutputPath.ParsingError.hex(scalar.value))"
      case .backslash: "the output path contains a backslash"
      case .spaceAtEdge(let component): "'\(component)' begins or ends with a space"
      case .hidden(let component): "'\(component)' begins with a dot, like the files of reactor and of Git"
      case .project(let folder): "the folder '\(folder)' is for files that people write, not for results"
      case .tooLong(let text): "'\(text.prefix(40))…' is too long for a file system"
      case .noExtension(let name): "'\(name)' has no extension that names a format"
      case .unknownExtension(let found): "'.\(found)' is not the extension of an output format"
      }
    }

    /// The advice to the user, in lower case and without a full stop.
    public var remedy: String {
      switch self {
      case .empty, .noFile: "write the path of a file, such as out/users.jsonl"
      case .absolute: "write the path relative to the output root, and choose the root with --root"
      case .leadsUpwards: "write the path from the output root down, and choose the root with --root"
      case .hiddenCharacter, .spaceAtEdge: "remove this character"
      case .backslash: "separate folders with '/'"
      case .hidden: "choose names that do not begin with a dot"
      case .project: "write the result into another folder, such as out/"
      case .tooLong:
        "use at most \(OutputPath.maxComponentBytes) bytes per name and \(OutputPath.maxBytes) for the whole path"
      case .noExtension, .unknownExtension:
        "use one of \(RecordFormat.extensionList); .gz or .zst may follow, as in .jsonl.gz"
      }
    }

    private static func hex(_ value: UInt32) -> String {
      let digits = String(value, radix: 16, uppercase: true)
      return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
  }
}
