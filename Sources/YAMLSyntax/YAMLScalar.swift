/// A scalar's text and how it was written.
public struct YAMLScalar: Sendable, Hashable {
  /// How a scalar was written.
  public enum Style: Sendable, Hashable {
    /// Without quotes.
    case plain
    /// In single quotes.
    case singleQuoted
    /// In double quotes.
    case doubleQuoted
    /// As a literal block (`|`).
    case literal
    /// As a folded block (`>`).
    case folded
  }

  /// The text after unquoting, unescaping and folding.
  public let text: String
  /// How it was written.
  public let style: Style
  /// The core tag written in front of it (`!!str`, `!!int`, …), if any; other tags are refused on reading.
  public let tag: String?

  /// Builds a scalar.
  public init(_ text: String, style: Style = .plain, tag: String? = nil) {
    self.text = text
    self.style = style
    self.tag = tag
  }

  /// Whether this is YAML's null: an unquoted `null`, `~` or nothing without another tag, or anything tagged `!!null`.
  public var isNull: Bool {
    if let tag { return tag == CoreTag.null.rawValue }
    return style == .plain && (text.isEmpty || text == "~" || text == "null")
  }
}

extension YAMLScalar {
  /// Whether, as a key, it merges other mappings into its own: an unquoted, untagged `<<`.
  var isMergeKey: Bool { style == .plain && tag == nil && text == "<<" }
}
