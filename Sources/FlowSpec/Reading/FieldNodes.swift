import SourceDiagnostics
import YAMLSyntax

/// The values of a mapping by key, after the keys were checked against a construct's table.
struct FieldNodes {
  let construct: Construct
  /// The source location of the whole mapping.
  let range: SourceRange
  /// The names that templates in the mapping may use.
  let scope: Scope
  private let entries: [YAMLMapping.Entry]
  /// The index of the entry for each key of the construct; -1 if the key is absent.
  private var indices: [Int32]
  /// Whether an error in a key, or a missing value, was reported.
  var hasError = false
  /// The known keys that were suggested for misspelt keys.
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

  /// Records a key that is not in the construct's table.
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

  /// Whether the mapping contains a key, even if the construct does not have this key.
  func isWritten(_ field: any FieldSpec) -> Bool { entries.contains { $0.name == field.name } }

  /// The value of a key; nil if the key is absent.
  ///
  /// - Parameter scope: the names that templates in the value may use; nil means the names of the mapping.
  func value(_ field: any FieldSpec, in scope: Scope? = nil) -> FieldValue? {
    guard let index = index(of: field) else { return nil }
    return FieldValue(
      spec: field, node: entries[index].value, key: entries[index].key.range, scope: scope ?? self.scope)
  }

  /// The source location of a key; nil if the key is absent.
  func key(_ field: any FieldSpec) -> SourceRange? { index(of: field).map { entries[$0].key.range } }

  /// The index of a key's entry. An entry is large, and the index avoids a copy of it.
  private func index(of field: any FieldSpec) -> Int? {
    // A mapping has few of the keys of its construct, so comparing them all is faster than a lookup by a hash.
    for index in entries.indices where entries[index].name == field.name {
      guard let slot = construct.slots[field.name], isFilled(slot: slot) else { return nil }
      return Int(indices[slot])
    }
    return nil
  }
}

/// A key that is not in a construct's table.
enum UnknownKey {
  /// A probable misspelling of this key of the construct.
  case misspelt(String)
  /// A key of another construct or of a later version.
  case foreign
  case unknown
}

/// A value with its key and the names that its templates may use.
///
/// It is a class, so that an optional value is a single pointer. Most keys are absent, and a lookup of an absent key
/// must cost almost nothing.
final class FieldValue: Sendable {
  let spec: any FieldSpec
  let node: YAMLNode
  /// The source location of the key.
  let key: SourceRange
  /// For an element or a member of the key's value: the location at which a missing value is reported.
  let part: SourceRange?
  let scope: Scope

  init(spec: any FieldSpec, node: YAMLNode, key: SourceRange, part: SourceRange? = nil, scope: Scope) {
    self.spec = spec
    self.node = node
    self.key = key
    self.part = part
    self.scope = scope
  }

  /// An element or member of this value, which is read by the same rules.
  func part(_ node: YAMLNode, at range: SourceRange? = nil) -> FieldValue {
    FieldValue(spec: spec, node: node, key: key, part: range ?? node.range, scope: scope)
  }

  /// The same value, whose templates use the names of another scope.
  func inScope(_ scope: Scope) -> FieldValue { FieldValue(spec: spec, node: node, key: key, part: part, scope: scope) }

  /// The text of a scalar that is not null; nil for other values.
  var word: String? {
    if case .scalar(let scalar) = node.content, !scalar.isNull { scalar.text } else { nil }
  }
}

/// The result of reading a key.
///
/// A key with an error is different from an absent key. Code that depends on the key must not report further errors.
enum Reading<Value> {
  /// The key is absent.
  case absent
  /// The key has an error, which was already reported.
  case broken
  case value(Value)

  /// The value; nil if the key is absent or has an error.
  var value: Value? { if case .value(let value) = self { value } else { nil } }

  var isBroken: Bool { if case .broken = self { true } else { false } }

  var isAbsent: Bool { if case .absent = self { true } else { false } }
}

extension FlowReader {
  /// Reads the value of a key; returns nil if the key is absent or has an error.
  mutating func read<Value>(_ field: Field<Value>, of nodes: FieldNodes, in scope: Scope? = nil) -> Value? {
    guard let value = nodes.value(field, in: scope) else { return nil }
    return field.shape.read(&self, value)
  }

  /// Reads keys and stores their values.
  mutating func fill<Whole>(_ whole: inout Whole, with keys: [Stored<Whole>], from nodes: FieldNodes) {
    for key in keys { key.fill(&self, &whole, nodes) }
  }

  /// Reads the value of the one key that is present out of several; reports an error unless exactly one is present.
  ///
  /// - Parameters:
  ///   - owner: the location to report if no key is present.
  ///   - missing: the code to report if no key is present.
  ///   - several: the code to report if several keys are present; nil means `missing`.
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

  /// Reads the short form of a mapping as the value of one of its keys.
  mutating func read<Value>(_ field: Field<Value>, short value: FieldValue) -> Value? {
    field.shape.read(&self, FieldValue(spec: field, node: value.node, key: value.key, scope: value.scope))
  }

  /// Reads the value of a key and distinguishes an absent key from a key with an error.
  mutating func reading<Value>(_ field: Field<Value>, of nodes: FieldNodes, in scope: Scope? = nil) -> Reading<Value> {
    guard let value = nodes.value(field, in: scope) else { return nodes.isLeftOut(field) ? .absent : .broken }
    return field.shape.read(&self, value).map { .value($0) } ?? .broken
  }
}
