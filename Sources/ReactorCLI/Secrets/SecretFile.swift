/// Reads a file of secrets, with one `NAME=value` on each line.
///
/// The value is used exactly as written, up to the end of the line. Empty lines and lines that begin with `#` are
/// skipped. Messages name the line number and never show the line's content.
package struct SecretFile: Sendable {
  /// The maximum size of the file, in bytes.
  package static let largest = 1 << 20

  /// Secret values by name.
  package private(set) var secrets: [String: String] = [:]
  /// Warnings about suspicious lines: whole sentences without a full stop.
  package private(set) var warnings: [String] = []

  /// Parses a file's content.
  ///
  /// - Throws: an error about the first line that cannot be parsed
  package init(path: String, bytes: [UInt8]) throws(CommandError) {
    guard bytes.count <= Self.largest else { throw CommandError("secret file '\(path)' is larger than 1 MiB") }
    guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
      throw CommandError("secret file '\(path)' is not UTF-8 text")
    }
    var lines: [String: Int] = [:]
    for (index, line) in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      let number = index + 1
      let content = Self.content(of: Array(line), isFirst: index == 0)
      guard !content.isEmpty, content[0] != UInt8(ascii: "#") else { continue }
      guard let sign = content.firstIndex(of: UInt8(ascii: "=")) else {
        throw CommandError("\(path):\(number): the line is not NAME=value")
      }
      let name = String(decoding: content[..<sign], as: UTF8.self)
      guard Self.isName(name) else {
        throw CommandError(
          "\(path):\(number): the text before '=' is not a name",
          help: "a name is a letter or '_', then letters, digits and '_', without spaces around it")
      }
      if let first = lines[name] { throw CommandError("\(path):\(number): '\(name)' is already set in line \(first)") }
      lines[name] = number
      let value = content[(sign + 1)...]
      if value.count >= 2, let quote = value.first, quote == value.last, quote == 0x22 || quote == 0x27 {
        warnings.append("\(path):\(number): the quotes around the value of '\(name)' are taken as part of it")
      }
      secrets[name] = String(decoding: value, as: UTF8.self)
    }
  }

  /// The content of a line without byte order mark, indentation and carriage return.
  private static func content(of line: [UInt8], isFirst: Bool) -> [UInt8] {
    var line = line[...]
    if isFirst, line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
    if line.last == 0x0D { line = line.dropLast() }
    return Array(line.drop { $0 == 0x20 || $0 == 0x09 })
  }

  private static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, isLetter(first) else { return false }
    return name.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F
  }
}
