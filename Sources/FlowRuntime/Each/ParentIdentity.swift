internal import FlowModel
internal import JSONSyntax
internal import Storage

/// Identifies the parents of a flow by the keys of their records.
///
/// A declared value identifies itself. A record without a key, or without a value for a key field, is identified by its
/// request instead (`ParentRequests.identity(of:with:for:)`).
struct ParentIdentity: Sendable {
  /// The maximum size of an identity, in bytes. A longer one is replaced by its digest.
  private static let longest = 500

  /// The fields that identify a parent's records, by the parent's name. Declared values have no entry.
  let keys: [String: [String]]
  /// The names of the parents that are declared values.
  let values: Set<String>

  init(_ parents: [Each<ParentSource>.Parent]) {
    var keys: [String: [String]] = [:]
    var values: Set<String> = []
    for parent in parents {
      switch parent.source {
      case .flow, .file, .rows, .union, .replacement: keys[parent.name.value] = parent.identifyingFields
      case .values: values.insert(parent.name.value)
      }
    }
    self.keys = keys
    self.values = values
  }

  /// Whether every parent has a key, so that no request is needed to identify a parent.
  var isWhole: Bool { keys.values.allSatisfy { !$0.isEmpty } }

  /// The identity of a partition; for a batch, the identity of all its items together.
  ///
  /// Nil when a part of the partition has no identity.
  func text(of partition: Partition) -> String? {
    guard let batch = partition.batch, let name = partition.values.first?.name else {
      return Self.text(parts(of: partition.values))
    }
    var all: [JSONValue] = []
    for record in batch {
      guard let parts = parts(of: [(name, record)]) else { return nil }
      all.append(parts.count == 1 ? parts[0] : .array(parts))
    }
    return Self.text([.array(all)])
  }

  /// The identity of one item of a partition; nil when the item has none.
  func text(ofItem item: Int, in partition: Partition) -> String? {
    guard let batch = partition.batch, let name = partition.values.first?.name else { return text(of: partition) }
    return batch.indices.contains(item) ? Self.text(parts(of: [(name, batch[item])])) : nil
  }

  /// The fields that identify the parents, as text. State remembered under other fields is not used.
  var words: String {
    let parts = keys.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value.joined(separator: ","))" }
    return (parts + values.sorted()).joined(separator: ";")
  }

  /// The identity of one record of a parent; nil without a value for its key.
  func text(ofRecord record: JSONValue, of parent: String) -> String? { Self.text(parts(of: [(parent, record)])) }

  private func parts(of values: [(name: String, value: JSONValue)]) -> [JSONValue]? {
    var parts: [JSONValue] = []
    for (name, value) in values {
      if self.values.contains(name) {
        parts.append(value)
        continue
      }
      guard let key = keys[name], !key.isEmpty else { return nil }
      for field in key {
        guard let part = value[field], part != .null else { return nil }
        parts.append(part)
      }
    }
    return parts
  }

  private static func text(_ parts: [JSONValue]?) -> String? {
    guard let parts else { return nil }
    return short(
      parts.count == 1 ? parts[0].plainText : String(decoding: JSONWriter.bytes(.array(parts)), as: UTF8.self))
  }

  /// The text itself if it is short, else its digest.
  static func short(_ text: String) -> String {
    text.utf8.count <= longest ? text : String(ContentHash.of(text.utf8), radix: 16)
  }
}
