internal import FlowFolders
internal import FlowSpec

/// The text of one secret in a file or in the output of a program.
enum SecretText {
  /// The maximum size, in bytes.
  static let largest = 1 << 20

  /// The secret in a file.
  ///
  /// - Parameter noun: what the file is, with its path, for messages
  static func read(_ noun: String, at path: String) throws(CommandError) -> String {
    let bytes: [UInt8]
    do throws(SourceReadError) {
      bytes = try DiskFiles.bytesAndMode(named: path, limit: largest).bytes
    } catch {
      throw CommandError("\(noun) cannot be read: \(error.message)")
    }
    return try text(of: bytes, noun)
  }

  /// The secret in bytes, without the line break at their end, which editors and programs add.
  static func text(of bytes: [UInt8], _ noun: String) throws(CommandError) -> String {
    guard bytes.count <= largest else { throw CommandError("\(noun) is larger than 1 MiB") }
    guard !bytes.contains(0), var text = String(validating: bytes, as: UTF8.self) else {
      throw CommandError("\(noun) is not UTF-8 text")
    }
    // A line break of Windows is one character.
    if text.last == "\n" || text.last == "\r\n" { text.removeLast() }
    guard !text.isEmpty else { throw CommandError("\(noun) is empty") }
    return text
  }
}
