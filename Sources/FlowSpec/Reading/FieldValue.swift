import SourceDiagnostics
import YAMLSyntax

/// A value with its key and with the names that it may use.
///
/// A class, because most keys of most constructs are left out, and to ask for one of those must cost next to nothing.
final class FieldValue: Sendable {
  let spec: any FieldSpec
  let node: YAMLNode
  /// Where the key stands.
  let key: SourceRange
  /// For an element or a member of the key's value: where to point when it is left out.
  let part: SourceRange?
  /// What its templates may use.
  let scope: Scope

  init(spec: any FieldSpec, node: YAMLNode, key: SourceRange, part: SourceRange? = nil, scope: Scope) {
    self.spec = spec
    self.node = node
    self.key = key
    self.part = part
    self.scope = scope
  }

  /// An element or member of this value, read by the same rules.
  func part(_ node: YAMLNode, at range: SourceRange? = nil) -> FieldValue {
    FieldValue(spec: spec, node: node, key: key, part: range ?? node.range, scope: scope)
  }

  /// The same value where other names may be used.
  func with(_ scope: Scope) -> FieldValue { FieldValue(spec: spec, node: node, key: key, part: part, scope: scope) }
}
