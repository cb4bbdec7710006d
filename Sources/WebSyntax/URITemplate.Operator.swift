extension URITemplate {
  /// The operator of an expression: how its variables are joined and encoded.
  ///
  /// Source: RFC 6570, the table of appendix A.
  enum Operator: UInt8, Sendable, Hashable {
    case simple = 0
    case reserved = 0x2B  // +
    case fragment = 0x23  // #
    case label = 0x2E  // .
    case path = 0x2F  // /
    case parameters = 0x3B  // ;
    case query = 0x3F  // ?
    case continuation = 0x26  // &

    /// The text before the first value.
    var start: String {
      switch self {
      case .simple, .reserved: ""
      case .fragment: "#"
      case .label: "."
      case .path: "/"
      case .parameters: ";"
      case .query: "?"
      case .continuation: "&"
      }
    }

    /// The text between two values.
    var separator: String {
      switch self {
      case .simple, .reserved, .fragment: ","
      case .label: "."
      case .path: "/"
      case .parameters: ";"
      case .query, .continuation: "&"
      }
    }

    /// Whether the variable's name is written before its value, as in `name=value`.
    var isNamed: Bool { self == .parameters || self == .query || self == .continuation }

    /// The text that follows the variable's name if its value is empty.
    var afterEmpty: String { self == .parameters ? "" : "=" }

    /// Whether reserved characters and existing escapes (`%XX`) are copied unchanged.
    var allowsReserved: Bool { self == .reserved || self == .fragment }
  }
}
