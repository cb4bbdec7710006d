import SourceDiagnostics
import YAMLSyntax

/// A mapping whose keys were checked against a construct's table: the values by key.
struct FieldNodes {
  let construct: Construct
  /// The whole mapping.
  let range: SourceRange
  /// What templates in it may use.
  let scope: Scope
  private let entries: [YAMLMapping.Entry]
  /// For each key of the construct the index of its entry, or -1.
  private var indices: [Int32]
  /// Whether an error in a key, or the lack of a value, was reported.
  var hasError = false
  /// The known keys that are nearest to misspelt ones.
  private var suggestions: Set<String> = []
  private var hasUnknownKey = false

  init(_ construct: Construct, _ mapping: YAMLMapping, range: SourceRange, scope: Scope) {
    self.construct = construct
    self.range = range
    self.scope = scope
    entries = mapping.entries
    indices = Array(repeating: -1, count: construct.fields.count)
  }

  mutating func fill(slot: Int, with index: Int) { indices[slot] = Int32(truncatingIfNeeded: index) }

  func isFilled(slot: Int) -> Bool { indices[slot] >= 0 }

  /// Notes a key that is not in the table.
  mutating func note(_ key: UnknownKey) {
    hasError = true
    switch key {
    case .misspelt(let suggestion): suggestions.insert(suggestion)
    case .unknown: hasUnknownKey = true
    case .foreign: break
    }
  }

  /// Whether a key is certainly absent: it has no value, and no unknown key can be a misspelling of it.
  func isLeftOut(_ field: any FieldSpec) -> Bool {
    key(field) == nil && !hasUnknownKey && !suggestions.contains(field.name)
  }

  /// Whether a key is written here, also where it does not belong.
  func isWritten(_ field: any FieldSpec) -> Bool { entries.contains { $0.name == field.name } }

  /// The value of a key; nil when it was left out.
  ///
  /// - Parameter scope: what its templates may use, where the mapping's scope does not apply.
  func value(_ field: any FieldSpec, in scope: Scope? = nil) -> FieldValue? {
    guard let index = index(of: field) else { return nil }
    return FieldValue(
      spec: field, node: entries[index].value, key: entries[index].key.range, scope: scope ?? self.scope)
  }

  /// The location of a key.
  func key(_ field: any FieldSpec) -> SourceRange? { index(of: field).map { entries[$0].key.range } }

  /// The index of a key's entry. An entry is large; an index avoids copying it.
  private func index(of field: any FieldSpec) -> Int? {
    guard let slot = construct.slots[field.name], isFilled(slot: slot) else { return nil }
    return Int(indices[slot])
  }
}

/// A key that a construct does not have.
enum UnknownKey {
  /// A misspelt key of this construct.
  case misspelt(String)
  /// A key of another construct, or of another version.
  case foreign
  case unknown
}

/// A value with its key and the names that its templates may use.
///
/// A class: most keys are absent, and a lookup of an absent one must cost next to nothing.
final class FieldValue: Sendable {
  let spec: any FieldSpec
  let node: YAMLNode
  /// The location of the key.
  let key: SourceRange
  /// For an element or a member of the key's value: the location to report when its value is missing.
  let part: SourceRange?
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

  /// The text of a single value that is not null.
  var word: String? {
    if case .scalar(let scalar) = node.content, !scalar.isNull { scalar.text } else { nil }
  }
}

/// The result of reading a key.
///
/// A key with an error is not an absent key: errors in what depends on it must not be reported too.
enum Reading<Value> {
  /// The key is absent.
  case absent
  /// The key has an error, which was reported.
  case broken
  case value(Value)

  /// The value, if it could be read.
  var value: Value? { if case .value(let value) = self { value } else { nil } }

  var isBroken: Bool { if case .broken = self { true } else { false } }

  var isAbsent: Bool { if case .absent = self { true } else { false } }
}

extension FlowReader {
  /// The value of a key; nil if it is absent or has an error.
  mutating func read<Value>(_ field: Field<Value>, of nodes: FieldNodes, in scope: Scope? = nil) -> Value? {
    guard let value = nodes.value(field, in: scope) else { return nil }
    return field.shape.read(&self, value)
  }

  /// The value of the only written key of some that exclude each other.
  ///
  /// - Parameters:
  ///   - owner: the location to report when none is written.
  ///   - missing: the code for none.
  ///   - several: the code for more than one; nil: the same.
  mutating func single<Value>(
    of fields: [Field<Value>], in nodes: FieldNodes, _ what: String, owner: SourceRange, help: String,
    missing: FlowCode, several: FlowCode? = nil
  ) -> Value? {
    let given = fields.filter { nodes.key($0) != nil }
    guard let field = given.first else {
      return nodes.hasError ? nil : fail(missing, "the \(what) is missing", at: owner, help: help)
    }
    if given.count == 1 { return read(field, of: nodes) }
    return fail(
      several ?? missing, "only one \(what) is allowed, not \(given.count)",
      at: given.compactMap { nodes.key($0) }.max { $0.offsets.lowerBound < $1.offsets.lowerBound },
      help: "keep one of \(listed(given.map(\.name)))")
  }

  /// A short form, read as the value of a key.
  mutating func read<Value>(_ field: Field<Value>, short value: FieldValue) -> Value? {
    field.shape.read(&self, FieldValue(spec: field, node: value.node, key: value.key, scope: value.scope))
  }

  /// The value of a key, or why it has none.
  mutating func reading<Value>(_ field: Field<Value>, of nodes: FieldNodes, in scope: Scope? = nil) -> Reading<Value> {
    guard let value = nodes.value(field, in: scope) else { return nodes.isLeftOut(field) ? .absent : .broken }
    return field.shape.read(&self, value).map { .value($0) } ?? .broken
  }
}
