import SourceDiagnostics
import YAMLSyntax

/// A mapping whose keys were checked against a construct's table: the values by key.
struct FieldNodes {
  let construct: Construct
  /// The whole mapping.
  let range: SourceRange
  /// The mapping's own pairs, and for each key of the construct which of them is its own, or -1.
  private let entries: [YAMLMapping.Entry]
  private var places: [Int32]
  /// Whether a key or a needed value was refused.
  var isFaulty = false
  /// Keys that misspelt ones probably mean.
  private var meant: Set<String> = []
  /// Whether a key is there of which nobody knows what it means.
  private var hasUnknownKey = false

  init(_ construct: Construct, _ mapping: YAMLMapping, range: SourceRange) {
    self.construct = construct
    self.range = range
    entries = mapping.entries
    places = Array(repeating: -1, count: construct.fields.count)
  }

  mutating func fill(slot: Int, with place: Int) { places[slot] = Int32(truncatingIfNeeded: place) }

  func isFilled(slot: Int) -> Bool { places[slot] >= 0 }

  /// Takes note of a key that is not in the table.
  mutating func refuse(_ refusal: RefusedKey) {
    isFaulty = true
    switch refusal {
    case .meaning(let key): meant.insert(key)
    case .unknown: hasUnknownKey = true
    case .foreign: break
    }
  }

  /// Whether a key is certainly not there: it has no value, and no unknown key can stand for it.
  func isLeftOut(_ name: String) -> Bool { key(name) == nil && !hasUnknownKey && !meant.contains(name) }

  /// Whether a key is written here, also where it does not belong.
  func isWritten(_ name: String) -> Bool { entries.contains { $0.name == name } }

  /// The value of a key with the key's description; nil when it was left out or has no value.
  func value(_ name: String) -> FieldValue? {
    guard let slot = construct.slots[name], isFilled(slot: slot) else { return nil }
    let place = Int(places[slot])
    return FieldValue(spec: construct.fields[slot], node: entries[place].value, key: entries[place].key.range)
  }

  /// Where a key stands.
  func key(_ name: String) -> SourceRange? {
    guard let slot = construct.slots[name], isFilled(slot: slot) else { return nil }
    return entries[Int(places[slot])].key.range
  }
}

/// What a key probably is that a construct does not have.
enum RefusedKey {
  /// A misspelt key of this construct.
  case meaning(String)
  /// A key of another construct, or of another version.
  case foreign
  case unknown
}
