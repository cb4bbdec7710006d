internal import ByteCodings

/// The bytes that are percent-encoded in a part of a URL.
///
/// The sets are those of the URL standard. Each set contains all bytes above 0x7E.
struct PercentEncodeSet: Sendable {
  private let bytes: Set<UInt8>

  /// Control characters and all bytes outside ASCII.
  static let controls = PercentEncodeSet(Set(0...0x1F).union(0x7F...0xFF), adding: "")
  static let fragment = PercentEncodeSet(controls.bytes, adding: " \"<>`")
  static let query = PercentEncodeSet(controls.bytes, adding: " \"#<>")
  static let specialQuery = PercentEncodeSet(query.bytes, adding: "'")
  static let path = PercentEncodeSet(query.bytes, adding: "?^`{}")
  static let userinfo = PercentEncodeSet(path.bytes, adding: "/:;=@[\\]|")

  private init(_ base: Set<UInt8>, adding text: String) { bytes = base.union(text.utf8) }

  /// The text with each byte of the set written as `%XX`; existing escapes stay unchanged.
  func encoded(_ bytes: ArraySlice<UInt8>) -> String {
    var result: [UInt8] = []
    PercentCoding.append(bytes, to: &result) { !self.bytes.contains($0) }
    return String(decoding: result, as: UTF8.self)
  }
}
