import SourceDiagnostics
import YAMLSyntax

/// A mapping whose keys were checked against a construct's table: the values by key.
struct FieldNodes {
  let construct: Construct
  /// The whole mapping.
  let range: SourceRange
  private var entries: [YAMLMapping.Entry?]
  /// Whether a key or a needed value was refused.
  var isFaulty = false

  init(_ construct: Construct, range: SourceRange) {
    self.construct = construct
    self.range = range
    entries = Array(repeating: nil, count: construct.fields.count)
  }

  mutating func fill(slot: Int, with entry: YAMLMapping.Entry) { entries[slot] = entry }

  func isFilled(slot: Int) -> Bool { entries[slot] != nil }

  /// The value of a key with the key's description; nil when it was left out or has no value.
  func value(_ name: String) -> FieldValue? {
    guard let slot = construct.slots[name], let entry = entries[slot] else { return nil }
    return FieldValue(spec: construct.fields[slot], node: entry.value, key: entry.key.range)
  }

  /// Where a key stands.
  func key(_ name: String) -> SourceRange? {
    construct.slots[name].flatMap { entries[$0] }?.key.range
  }
}
