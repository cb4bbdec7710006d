/// Lexical work on file paths; nothing here looks at a disk.
enum PathText {
  /// The folder part; empty for a file in the working folder.
  static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The last component.
  static func name(of path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.utf8.index(after: $0)...]) } ?? path
  }

  /// A path seen from a folder; absolute paths stay as they are.
  static func joined(folder: String, _ path: String) -> String {
    if path.hasPrefix("/") || folder.isEmpty { return path }
    return folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
  }

  /// Without `.`, empty and resolvable `..` components; empty for the working folder itself.
  static func normalized(_ path: String) -> String {
    if isNormal(path) { return path }
    let isAbsolute = path.hasPrefix("/")
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." {
        parts.removeLast()
      } else if part != ".." || !isAbsolute {
        parts.append(part)
      }
    }
    return (isAbsolute ? "/" : "") + parts.joined(separator: "/")
  }

  /// Whether a relative path plainly has nothing to leave out: no component begins with a dot, none is empty.
  private static func isNormal(_ path: String) -> Bool {
    var atStart = true
    for byte in path.utf8 {
      if atStart, byte == UInt8(ascii: ".") || byte == UInt8(ascii: "/") { return false }
      atStart = byte == UInt8(ascii: "/")
    }
    return !atStart
  }

  /// A flow file's name without `.yaml` or `.yml`, and then without `.flow`.
  static func stem(of path: String) -> String {
    var name = name(of: path)
    for suffix in [".yaml", ".yml"] where name.hasSuffix(suffix) && name.utf8.count > suffix.utf8.count {
      name.removeLast(suffix.count)
      break
    }
    if name.hasSuffix(".flow"), name.utf8.count > 5 { name.removeLast(5) }
    return name
  }
}
