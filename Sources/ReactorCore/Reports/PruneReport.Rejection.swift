extension PruneReport {
  /// A record that was left out, and why.
  public struct Rejection: Sendable, Hashable, CustomStringConvertible {
    /// The maximum length of a reason, in Unicode scalars.
    public static let reasonLimit = 300

    /// Its index in the response, from 0.
    public internal(set) var index: Int
    /// RFC 6901 pointer into the record; empty for the record itself.
    public let pointer: String
    /// What was expected and what was found; cut after `reasonLimit`.
    public let reason: String
    /// How to fix it; at most the first rejection has it.
    public let help: String?

    /// Builds a rejection.
    public init(index: Int, pointer: String, reason: String, help: String? = nil) {
      self.index = index
      self.pointer = pointer
      self.help = help
      let scalars = reason.unicodeScalars.prefix(Rejection.reasonLimit)
      self.reason = scalars.endIndex == reason.unicodeScalars.endIndex ? reason : String(scalars) + "…"
    }

    /// `record 3 at /name: reason`
    public var description: String { "record \(index)\(pointer.isEmpty ? "" : " at \(pointer)"): \(reason)" }
  }
}
