internal import ByteCodings

extension Dashboard {
  /// A flow's id as text of a page. One that nobody could see is named, because links and headings need a text.
  static func shown(_ id: String, limit: Int = 300) -> String {
    Markup.text(id.allSatisfy(\.isWhitespace) ? "(no name)" : id, limit: limit)
  }

  /// The longest part of an id that stands in the name of a page.
  private static let longest = 80

  /// The name of a flow's page, which any file system and any URL can have.
  ///
  /// An id of small letters, digits, `.`, `_` and `-` is its own name. Of any other id, which may have markup or differ from
  /// another one in its case only, the name has what is left of it, and its SHA-256.
  static func page(of id: String) -> String {
    let plain = id.utf8.map { byte -> UInt8 in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"),
        UInt8(ascii: "-"), UInt8(ascii: "."):
        byte
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
      default: UInt8(ascii: "-")
      }
    }
    let name = String(decoding: plain.prefix(longest), as: UTF8.self)
    guard name != id else { return "flow-\(name).html" }
    // No plain id has a tilde.
    return "flow-\(name)~\(Hex.text(Array(DigestAlgorithm.sha256.digest(of: Array(id.utf8)).prefix(8)))).html"
  }
}
