public import SourceDiagnostics

/// Text with places marked by keycap digits, for tests of positions.
///
/// ```swift
/// let marked = MarkedText("flow:\n  1️⃣persistance2️⃣: x")
/// marked.text             // "flow:\n  persistance: x"
/// marked.offsets(1, 2)    // 8..<19
/// ```
public struct MarkedText: Sendable, ExpressibleByStringLiteral {
  /// The text without its markers.
  public let text: String
  /// The UTF-8 byte offsets of the markers, by their digit.
  public let locations: [Int: Int]

  /// Takes out the markers 0️⃣ to 9️⃣; of markers with the same digit the first counts.
  public init(_ marked: String) {
    var text = String.UnicodeScalarView()
    var locations: [Int: Int] = [:]
    var length = 0
    let scalars = Array(marked.unicodeScalars)
    var index = 0
    while index < scalars.count {
      let scalar = scalars[index]
      if (0x30...0x39).contains(scalar.value), index + 2 < scalars.count, scalars[index + 1].value == 0xFE0F,
        scalars[index + 2].value == 0x20E3
      {
        let digit = Int(scalar.value) - 0x30
        if locations[digit] == nil { locations[digit] = length }
        index += 3
        continue
      }
      text.append(scalar)
      length += UTF8.width(scalar)
      index += 1
    }
    self.text = String(text)
    self.locations = locations
  }

  /// Takes out the markers of a literal.
  public init(stringLiteral marked: String) { self.init(marked) }

  /// The byte offset of a marker, or -1 where it is missing, which no position equals.
  public subscript(_ marker: Int) -> Int { locations[marker] ?? -1 }

  /// The byte offsets between two markers; empty at -1 where one is missing.
  public func offsets(_ start: Int, _ end: Int) -> Range<Int> {
    guard let low = locations[start], let high = locations[end], low <= high else { return -1 ..< -1 }
    return low..<high
  }

  /// The text as a file.
  public func file(_ path: String = "test.yaml") -> SourceFile { SourceFile(path: path, text: text) }
}
