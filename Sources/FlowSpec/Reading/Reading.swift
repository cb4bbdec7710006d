import SourceDiagnostics

/// What a key says.
///
/// A part that is there but broken is not a part that was left out: nothing is known of it, and what depends on it must not
/// be reported too.
enum Reading<Value> {
  /// It was left out.
  case absent
  /// It is there, and a mistake in it was reported.
  case broken
  case value(Value)

  /// The value, if it could be read.
  var value: Value? { if case .value(let value) = self { value } else { nil } }

  var isBroken: Bool { if case .broken = self { true } else { false } }

  var isAbsent: Bool { if case .absent = self { true } else { false } }
}

extension FlowReader {
  /// The value of a key; nil when it was left out, or after reporting what is wrong with it.
  mutating func read<Value>(_ field: Field<Value>, of nodes: FieldNodes, in scope: Scope? = nil) -> Value? {
    guard let value = nodes.value(field, in: scope) else { return nil }
    return field.shape.read(&self, value)
  }

  /// A value that stands for a whole mapping, read as that of a key.
  mutating func read<Value>(_ field: Field<Value>, short value: FieldValue) -> Value? {
    field.shape.read(&self, FieldValue(spec: field, node: value.node, key: value.key, scope: value.scope))
  }

  /// The value of a key, with the reason why there is none.
  mutating func reading<Value>(_ field: Field<Value>, of nodes: FieldNodes, in scope: Scope? = nil) -> Reading<Value> {
    guard let value = nodes.value(field, in: scope) else { return nodes.isLeftOut(field) ? .absent : .broken }
    return field.shape.read(&self, value).map { .value($0) } ?? .broken
  }

  /// Errors reported so far: a part is whole when reading it adds none.
  var errorCount: Int { diagnostics.diagnostics.count { $0.severity == .error } }
}
