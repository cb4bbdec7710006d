/// A fault that a served recording shows on demand: `customers#2=503`.
package struct ServedFault: Sendable, Hashable {
  /// What happens.
  package enum Kind: Sendable, Hashable {
    /// Another status, without content; 429 and 503 with `Retry-After: 1`.
    case status(Int)
    /// The response comes late, by so many milliseconds.
    case delay(Int)
    /// The content is cut in the middle, and the connection closed.
    case cut
    /// The connection is reset.
    case reset
    /// The connection is closed without a response.
    case empty
    /// What comes is no HTTP.
    case garbage
  }

  /// A part of the address, or of the flow's id.
  package let pattern: String
  /// Which of the requests that fit, from 1; nil is every one.
  package let occurrence: Int?
  /// What happens.
  package let kind: Kind

  /// Reads `PATTERN[#N]=WHAT`; WHAT is a status, `delay:500ms`, `cut`, `reset`, `empty` or `garbage`.
  package init?(_ text: String) {
    guard let sign = text.lastIndex(of: "="), sign > text.startIndex else { return nil }
    var pattern = String(text[..<sign])
    var occurrence: Int?
    if let mark = pattern.lastIndex(of: "#") {
      guard let number = Int(pattern[pattern.index(after: mark)...]), number >= 1 else { return nil }
      occurrence = number
      pattern = String(pattern[..<mark])
    }
    guard !pattern.isEmpty, let kind = Self.kind(String(text[text.index(after: sign)...])) else { return nil }
    self.pattern = pattern
    self.occurrence = occurrence
    self.kind = kind
  }

  private static func kind(_ text: String) -> Kind? {
    switch text {
    case "cut": return .cut
    case "reset": return .reset
    case "empty": return .empty
    case "garbage": return .garbage
    default:
      if let status = Int(text) { return (100...599).contains(status) ? .status(status) : nil }
      guard text.hasPrefix("delay:") else { return nil }
      let value = text.dropFirst(6)
      if value.hasSuffix("ms"), let number = Int(value.dropLast(2)), (0...600_000).contains(number) {
        return .delay(number)
      }
      if value.hasSuffix("s"), let number = Int(value.dropLast()), (0...600).contains(number) {
        return .delay(number * 1000)
      }
      return nil
    }
  }

  /// Whether a request is one that the fault is for.
  func fits(_ request: RecordedRequest, flow: String) -> Bool {
    pattern == "*" || request.url.contains(pattern) || flow.contains(pattern)
  }
}
