internal import ByteCodings

/// The key with which documents of the shared state are sealed: 32 bytes.
package struct SealingKey: Sendable {
  let bytes: [UInt8]
  /// A digest of the key, by which a document shows with which key it was sealed.
  let mark: [UInt8]

  /// Reads a key: base64 of 32 bytes, or 64 hexadecimal digits, with spaces or a line end around it; nil for other
  /// texts.
  package init?(parsing text: String) {
    let isSpace: (UInt8) -> Bool = { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    var text = Array(text.utf8.drop(while: isSpace))
    while text.last.map(isSpace) ?? false { text.removeLast() }
    guard let bytes = text.count == 64 ? Hex.bytes(text) : Base64.decode(text), bytes.count == 32 else { return nil }
    self.bytes = bytes
    mark = Array(SHA256Digest(of: Array("reactor sealing key".utf8) + bytes).bytes.prefix(DocumentSeal.markSize))
  }

  /// The texts of the key that no output may show.
  package var texts: [String] { [Base64.encode(bytes), Hex.text(bytes)] }
}
