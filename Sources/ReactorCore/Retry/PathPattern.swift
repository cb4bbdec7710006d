internal import ByteCodings

/// A pattern of URL paths: `*` is any text within a segment, `**` any text.
///
/// All other characters match themselves in the form in which a request contains them: a space matches `%20`.
public struct PathPattern: Sendable, Hashable, CustomStringConvertible {
  private enum Part: Sendable, Hashable {
    case byte(UInt8)
    /// Any number of bytes except `/`.
    case segment
    /// Any number of bytes.
    case any
  }

  /// The pattern as written.
  public let description: String
  private let parts: [Part]

  /// Creates a pattern from its text.
  public init(_ text: String) {
    description = text
    var escaped: [UInt8] = []
    PercentCoding.append(Array(text.utf8)[...], to: &escaped, keepsEscapes: true) {
      PercentCoding.isPathCharacter($0) || $0 == UInt8(ascii: "/")
    }
    let star = UInt8(ascii: "*")
    var parts: [Part] = []
    for byte in escaped {
      switch (byte, parts.last) {
      case (star, .segment?): parts[parts.count - 1] = .any
      case (star, .any?): break
      case (star, _): parts.append(.segment)
      default: parts.append(.byte(byte))
      }
    }
    self.parts = parts
  }

  /// Whether the whole path matches. The time is proportional to the product of both lengths.
  public func matches(_ path: some Sequence<UInt8>) -> Bool {
    // The numbers of parts that may match the text so far. A star also matches an empty text.
    var reached = [Bool](repeating: false, count: parts.count + 1)
    reached[0] = true
    skipStars(&reached)
    for byte in path {
      var next = [Bool](repeating: false, count: parts.count + 1)
      for (index, part) in parts.enumerated() where reached[index] {
        switch part {
        case .byte(byte): next[index + 1] = true
        case .byte: break
        case .segment: next[index] = byte != UInt8(ascii: "/")
        case .any: next[index] = true
        }
      }
      skipStars(&next)
      reached = next
    }
    return reached[parts.count]
  }

  private func skipStars(_ reached: inout [Bool]) {
    for (index, part) in parts.enumerated() where reached[index] && (part == .segment || part == .any) {
      reached[index + 1] = true
    }
  }
}
