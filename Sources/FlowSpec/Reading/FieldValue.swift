import SourceDiagnostics
import YAMLSyntax

/// A value with the description of its key.
struct FieldValue {
  let spec: FieldSpec
  let node: YAMLNode
  /// Where the key stands.
  let key: SourceRange
  /// For an element or a member of the key's value: where to point when it is left out.
  var part: SourceRange?

  /// An element or member of this value, read by the same rules.
  func part(_ node: YAMLNode, at range: SourceRange? = nil) -> FieldValue {
    FieldValue(spec: spec, node: node, key: key, part: range ?? node.range)
  }
}
