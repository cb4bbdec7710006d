extension JSONPath {
  /// Creates the singular path of these steps, with the dot shorthand where possible: `$.orders[0]['first name']`.
  public init(singular steps: [Step]) {
    var text = "$"
    for step in steps {
      switch step {
      case .index(let index):
        text.append("[\(index)]")
      case .name(let name) where Self.isShorthand(name):
        text.append(".")
        text.append(name)
      case .name(let name):
        text.append("[\(Self.quoted(name))]")
      }
    }
    self.init(text: text, query: Query(singular: steps))
  }

  /// The member names with which the path begins, up to the first segment that is not a single name.
  ///
  /// `isWhole` is true if the path consists only of these names.
  public var leadingNames: (names: [String], isWhole: Bool) {
    var names: [String] = []
    for segment in query.segments {
      guard case .name(let name)? = segment.singularStep else { return (names, false) }
      names.append(name)
    }
    return (names, true)
  }

  /// Whether a name is written after a dot instead of in brackets. Only ASCII names are, for legibility.
  private static func isShorthand(_ name: String) -> Bool {
    guard let first = name.utf8.first, !(0x30...0x39).contains(first) else { return false }
    return name.utf8.allSatisfy { $0 < 0x80 && JSONPathParser.isNameByte($0) }
  }

  /// A name in the syntax of normalized paths (RFC 9535, section 2.7).
  ///
  /// It is in single quotes and has only the required escapes.
  static func quoted(_ name: String) -> String {
    var text = "'"
    for scalar in name.unicodeScalars {
      switch scalar {
      case "'": text += "\\'"
      case "\\": text += "\\\\"
      case "\u{8}": text += "\\b"
      case "\t": text += "\\t"
      case "\n": text += "\\n"
      case "\u{c}": text += "\\f"
      case "\r": text += "\\r"
      default:
        if scalar.value < 0x20 {
          text += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
        } else {
          text.unicodeScalars.append(scalar)
        }
      }
    }
    return text + "'"
  }
}
