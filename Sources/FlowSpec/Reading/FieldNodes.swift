import SourceDiagnostics
import YAMLSyntax

/// A mapping whose keys were checked against a construct's table: the values by key.
struct FieldNodes {
  let construct: Construct
  /// The whole mapping.
  let range: SourceRange
  /// What templates in it may use.
  let scope: Scope
  /// The mapping's own pairs, and for each key of the construct which of them is its own, or -1.
  private let entries: [YAMLMapping.Entry]
  private var places: [Int32]
  /// Whether a key or a needed value was refused.
  var hasError = false
  /// Keys that misspelt ones probably mean.
  private var meant: Set<String> = []
  /// Whether a key is there of which nobody knows what it means.
  private var hasUnknownKey = false

  init(_ construct: Construct, _ mapping: YAMLMapping, range: SourceRange, scope: Scope) {
    self.construct = construct
    self.range = range
    self.scope = scope
    entries = mapping.entries
    places = Array(repeating: -1, count: construct.fields.count)
  }

  mutating func fill(slot: Int, with place: Int) { places[slot] = Int32(truncatingIfNeeded: place) }

  func isFilled(slot: Int) -> Bool { places[slot] >= 0 }

  /// Takes note of a key that is not in the table.
  mutating func refuse(_ refusal: RefusedKey) {
    hasError = true
    switch refusal {
    case .meaning(let key): meant.insert(key)
    case .unknown: hasUnknownKey = true
    case .foreign: break
    }
  }

  /// Whether a key is certainly not there: it has no value, and no unknown key can stand for it.
  func isLeftOut(_ field: any FieldSpec) -> Bool {
    key(field) == nil && !hasUnknownKey && !meant.contains(field.name)
  }

  /// Whether a key is written here, also where it does not belong.
  func isWritten(_ field: any FieldSpec) -> Bool { entries.contains { $0.name == field.name } }

  /// The value of a key; nil when it was left out.
  ///
  /// - Parameter scope: what its templates may use, where that is not what the mapping's others may.
  func value(_ field: any FieldSpec, in scope: Scope? = nil) -> FieldValue? {
    guard let place = place(of: field) else { return nil }
    return FieldValue(
      spec: field, node: entries[place].value, key: entries[place].key.range, scope: scope ?? self.scope)
  }

  /// Where a key stands.
  func key(_ field: any FieldSpec) -> SourceRange? { place(of: field).map { entries[$0].key.range } }

  /// Which of some keys is written, of which there is to be one.
  func written<Value>(of fields: [Field<Value>]) -> Written<Value> {
    let given = fields.filter { key($0) != nil }
    guard given.count != 1 else { return .one(given[0]) }
    // The later one is marked.
    let last = given.compactMap { key($0) }.max { $0.offsets.lowerBound < $1.offsets.lowerBound }
    return last.map { .several(given.map(\.name), last: $0) } ?? .none
  }

  /// The index of a key's pair. (By index: a pair is large, and most of them need not be taken out whole.)
  private func place(of field: any FieldSpec) -> Int? {
    guard let slot = construct.slots[field.name], isFilled(slot: slot) else { return nil }
    return Int(places[slot])
  }
}

/// Which of some keys is written.
enum Written<Value> {
  case none
  case one(Field<Value>)
  /// More than one, in the order of the reference; the last one in the file stands there.
  case several([String], last: SourceRange)
}

/// What a key probably is that a construct does not have.
enum RefusedKey {
  /// A misspelt key of this construct.
  case meaning(String)
  /// A key of another construct, or of another version.
  case foreign
  case unknown
}
