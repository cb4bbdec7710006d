import SourceDiagnostics
import YAMLSyntax

/// A value with the description of its key.
///
/// A class, because most keys of most constructs are left out, and to ask for one of those must cost next to nothing.
final class FieldValue: Sendable {
  let spec: FieldSpec
  let node: YAMLNode
  /// Where the key stands.
  let key: SourceRange
  /// For an element or a member of the key's value: where to point when it is left out.
  let part: SourceRange?

  init(spec: FieldSpec, node: YAMLNode, key: SourceRange, part: SourceRange? = nil) {
    self.spec = spec
    self.node = node
    self.key = key
    self.part = part
  }

  /// An element or member of this value, read by the same rules.
  func part(_ node: YAMLNode, at range: SourceRange? = nil) -> FieldValue {
    FieldValue(spec: spec, node: node, key: key, part: range ?? node.range)
  }
}
