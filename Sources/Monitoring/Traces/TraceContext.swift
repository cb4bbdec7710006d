/// The span of another program below which a run is a part, as W3C Trace Context writes it.
package struct TraceContext: Sendable, Hashable {
  /// The id of the trace, 32 hexadecimal digits.
  package let trace: String
  /// The id of the span, 16 hexadecimal digits.
  package let span: String

  /// Reads a `traceparent`; nil for a text that is none, which has to be ignored.
  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let isKnown = parts.count == 4 || parts.count > 4 && parts[0] != "00"
    guard isKnown, parts[0] != "ff", zip(parts, [2, 32, 16, 2]).allSatisfy({ $0.utf8.count == $1 }),
      parts[..<4].allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) } }),
      parts[1...2].allSatisfy({ $0.contains { $0 != "0" } })
    else { return nil }
    (trace, span) = (String(parts[1]), String(parts[2]))
  }
}
