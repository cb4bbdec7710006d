extension JSONValue: CustomStringConvertible, CustomDebugStringConvertible {
  /// The maximum number of UTF-8 bytes of a description.
  static let descriptionLimit = 1_000

  /// Compact JSON; cut after about 1,000 bytes, with an ellipsis.
  public var description: String { excerpt(limit: Self.descriptionLimit) }

  /// The value's kind and its compact JSON, cut at about 200 bytes.
  public var debugDescription: String { "\(kindName) \(excerpt(limit: 200))" }

  /// Compact JSON of at most `limit` UTF-8 bytes; a text that is cut ends with an ellipsis, which is not counted.
  public func excerpt(limit: Int) -> String {
    let limit = max(limit, 0)
    var bytes: [UInt8] = []
    JSONWriter.write(self, into: &bytes, style: .compact, limit: limit)
    guard bytes.count > limit else { return String(decoding: bytes, as: UTF8.self) }
    let cut = bytes[..<limit].withUnsafeBufferPointer { UTF8Text.incompleteSuffix(of: $0) }
    return String(decoding: bytes[..<(limit - cut)], as: UTF8.self) + "…"
  }
}
