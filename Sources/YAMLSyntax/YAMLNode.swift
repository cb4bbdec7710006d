public import SourceDiagnostics

/// A node of a YAML document with its exact source range.
///
/// Scalars remain text: only the declared type of a field decides what `no`, `012` or `1e3` means.
public struct YAMLNode: Sendable {
  /// The kind of a node, with its content.
  public enum Content: Sendable {
    /// A text, after YAML has removed quotes and joined folded lines.
    case scalar(YAMLScalar)
    /// An ordered list.
    case sequence([YAMLNode])
    /// Ordered pairs with unique keys.
    case mapping(YAMLMapping)
  }

  /// The kind of the node, with its content.
  public let content: Content
  /// The range from the first to the last byte of the node.
  ///
  /// Quotes and brackets are included; an anchor or tag in front of the node is not. For an alias, this is the
  /// location of the alias. For an absent value, it is an empty range at the value's position.
  public let range: SourceRange

  /// Creates a node.
  public init(_ content: Content, at range: SourceRange) {
    self.content = content
    self.range = range
  }
}

extension YAMLNode {
  /// Whether the node is text.
  public var isScalar: Bool { if case .scalar = content { true } else { false } }

  /// Whether the node is a list.
  public var isSequence: Bool { if case .sequence = content { true } else { false } }

  /// Whether the node is a mapping.
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

    /// Creates an entry.
    public init(key: YAMLNode, value: YAMLNode) {
      self.key = key
      self.value = value
    }

    /// The key's text; empty when the key is not a scalar.
    public var name: String { if case .scalar(let scalar) = key.content { scalar.text } else { "" } }
  }

  /// The entries in the order written; merged entries come after the mapping's own entries.
  public let entries: [Entry]

  /// Creates a mapping; keys must be unique.
  public init(_ entries: [Entry]) { self.entries = entries }

  /// The value of a key; nil when the key does not exist. The time is linear in the number of entries.
  public subscript(_ name: String) -> YAMLNode? { entries.first { $0.name == name }?.value }
}

/// A scalar's text and the style in which it was written.
public struct YAMLScalar: Sendable, Hashable {
  /// The style in which a scalar was written.
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

  /// The text after quotes and escapes are resolved and folded lines are joined.
  public let text: String
  /// The style in which the scalar was written.
  public let style: Style
  /// The core tag in front of the scalar (`!!str`, `!!int`, …); nil without a tag. Other tags are refused on reading.
  public let tag: String?

  /// Creates a scalar.
  public init(_ text: String, style: Style = .plain, tag: String? = nil) {
    self.text = text
    self.style = style
    self.tag = tag
  }

  /// Whether this scalar is YAML's null: an unquoted `null`, `~` or empty text without another tag, or any scalar
  /// tagged `!!null`.
  public var isNull: Bool {
    if let tag { return tag == CoreTag.null.rawValue }
    return style == .plain && (text.isEmpty || text == "~" || text == "null")
  }
}

extension YAMLScalar {
  /// Whether this scalar, as a key, merges other mappings into its mapping: an unquoted, untagged `<<`.
  var isMergeKey: Bool { style == .plain && tag == nil && text == "<<" }
}
