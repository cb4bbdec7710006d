/// A fault that the server of recordings simulates on request, such as `customers#2=503`.
package struct ServedFault: Sendable, Hashable {
  /// The kind of a fault.
  package enum Kind: Sendable, Hashable {
    /// Another status without content; 429 and 503 have the header `Retry-After: 1`.
    case status(Int)
    /// The response is delayed by a number of milliseconds.
    case delay(Int)
    /// The content is cut in the middle, and the connection is closed.
    case cut
    /// The connection is reset.
    case reset
    /// The connection is closed without a response.
    case empty
    /// The server sends bytes that are not HTTP.
    case garbage
  }

  /// A part of the URL or of the flow's id. `*` matches every request.
  package let pattern: String
  /// The number of the matching request that gets the fault, from 1. Nil for every matching request.
  package let occurrence: Int?
  /// The kind of the fault.
  package let kind: Kind

  /// Parses `PATTERN[#N]=WHAT`; WHAT is a status, `delay:500ms`, `cut`, `reset`, `empty` or `garbage`.
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

  /// Whether the fault's pattern matches a request.
  func fits(_ request: RecordedRequest, flow: String) -> Bool {
    pattern == "*" || request.url.contains(pattern) || flow.contains(pattern)
  }
}
