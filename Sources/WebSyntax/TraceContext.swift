internal import ByteCodings

/// A span of a trace, as the header field `traceparent` names it (W3C Trace Context).
package struct TraceContext: Sendable, Hashable {
  /// The id of the trace, 32 hexadecimal digits.
  package let trace: String
  /// The id of the span, 16 hexadecimal digits.
  package let span: String
  /// The flags, 2 hexadecimal digits; the lowest bit means that the span is recorded.
  package let flags: String

  /// Names a span.
  package init(trace: String, span: String, isRecorded: Bool) {
    (self.trace, self.span, flags) = (trace, span, isRecorded ? "01" : "00")
  }

  /// Reads a `traceparent`; nil for a text that is none, which has to be ignored.
  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let isKnown = parts.count == 4 || parts.count > 4 && parts[0] != "00"
    guard isKnown, parts[0] != "ff", zip(parts, [2, 32, 16, 2]).allSatisfy({ $0.utf8.count == $1 }),
      parts[..<4].allSatisfy({ Self.isHex($0) }),
      parts[1...2].allSatisfy({ $0.contains { $0 != "0" } })
    else { return nil }
    (trace, span, flags) = (String(parts[1]), String(parts[2]), String(parts[3]))
  }

  /// The value of the field `traceparent`, in version 00 of its format.
  package var text: String { "00-\(trace)-\(span)-\(flags)" }

  /// The id of the trace of a run: the id of the run if it has the form of one, else a digest of it.
  package static func trace(ofRun id: String) -> String {
    if id.utf8.count == 32, isHex(id), id.contains(where: { $0 != "0" }) { return id }
    return String(SHA256Digest(of: Array(id.utf8)).hex.prefix(32))
  }

  /// A random id of a span.
  package static func newSpan() -> String {
    let digits = String(UInt64.random(in: 1...UInt64.max), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  private static func isHex(_ text: some StringProtocol) -> Bool {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}
