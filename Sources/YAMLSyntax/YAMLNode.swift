public import SourceDiagnostics

/// A node of a YAML document with its exact source range.
///
/// Scalars stay text: the declared type of a field decides what `no`, `012` or `1e3` means.
public struct YAMLNode: Sendable {
  /// What the node is.
  public enum Content: Sendable {
    /// Text as written, after YAML's own unquoting and folding.
    case scalar(YAMLScalar)
    /// An ordered list.
    case sequence([YAMLNode])
    /// Ordered pairs with unique keys.
    case mapping(YAMLMapping)
  }

  /// What the node is.
  public let content: Content
  /// From the first to the last byte of the node, quotes and brackets included, an anchor or tag in front of it not;
  /// for an alias, the location of the alias; for an absent value, an empty range at its position.
  public let range: SourceRange

  /// Builds a node.
  public init(_ content: Content, at range: SourceRange) {
    self.content = content
    self.range = range
  }
}

extension YAMLNode {
  /// Whether it is text.
  public var isScalar: Bool { if case .scalar = content { true } else { false } }

  /// Whether it is a list.
  public var isSequence: Bool { if case .sequence = content { true } else { false } }

  /// Whether it is a mapping.
  public var isMapping: Bool { if case .mapping = content { true } else { false } }
}

/// Ordered pairs with unique scalar keys.
public struct YAMLMapping: Sendable {
  /// A key and its value.
  public struct Entry: Sendable {
    /// The key as a node, for its range.
    public let key: YAMLNode
    /// The value.
    public let value: YAMLNode

    /// Builds an entry.
    public init(key: YAMLNode, value: YAMLNode) {
      self.key = key
      self.value = value
    }

    /// The key's text; empty for a key that is none.
    public var name: String { if case .scalar(let scalar) = key.content { scalar.text } else { "" } }
  }

  /// In the order written, merged keys after the mapping's own.
  public let entries: [Entry]

  /// Builds a mapping; keys must be unique.
  public init(_ entries: [Entry]) { self.entries = entries }

  /// The value of a key, if present. Linear in the number of entries.
  public subscript(_ name: String) -> YAMLNode? { entries.first { $0.name == name }?.value }
}

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
