extension JSONValue: CustomStringConvertible, CustomDebugStringConvertible {
  /// UTF-8 bytes of a description before it is cut.
  static let descriptionLimit = 1_000

  /// Compact JSON; cut with an ellipsis where it would be longer than about 1,000 bytes.
  public var description: String { excerpt(limit: Self.descriptionLimit) }

  /// The kind of value and its compact JSON, cut at about 200 bytes.
  public var debugDescription: String { "\(kindName) \(excerpt(limit: 200))" }

  /// Compact JSON of at most `limit` UTF-8 bytes, not counting the ellipsis of a cut one.
  public func excerpt(limit: Int) -> String {
    let limit = max(limit, 0)
    var bytes: [UInt8] = []
    JSONWriter.write(self, into: &bytes, style: .compact, limit: limit)
    guard bytes.count > limit else { return String(decoding: bytes, as: UTF8.self) }
    let cut = bytes[..<limit].withUnsafeBufferPointer { UTF8Text.incompleteSuffix(of: $0) }
    return String(decoding: bytes[..<(limit - cut)], as: UTF8.self) + "…"
  }
}
