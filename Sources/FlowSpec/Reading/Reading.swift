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
  /// A key's value by a function that reports why it gives none.
  mutating func reading<Value>(
    _ key: String, of fields: FieldNodes, _ read: (inout FlowReader, FieldValue) -> Value?
  ) -> Reading<Value> {
    guard let value = fields.value(key) else { return fields.isLeftOut(key) ? .absent : .broken }
    return read(&self, value).map { .value($0) } ?? .broken
  }

  /// Errors reported so far: a part is whole when reading it adds none.
  var errorCount: Int { diagnostics.diagnostics.count { $0.severity == .error } }
}
