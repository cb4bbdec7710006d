public import SourceDiagnostics

/// A node of a YAML document with the exact stretch of text it was written in.
///
/// Scalars stay text: whoever reads a field decides by its declared type what `no`, `012` or `1e3` means.
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
  /// for an alias, where the alias stands; empty, at the place where the value would begin, for a value left out.
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
