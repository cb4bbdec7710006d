internal import JSONSyntax
internal import Storage

/// Tells parents that are new or changed from those that were asked for as they are now (`only: changed`).
struct ChangedParents: Sendable {
  /// One item of a partition: its parents' identity, and a digest of their records.
  struct Mark: Sendable {
    var item: Int
    var identity: String
    var digest: String
  }

  let identity: ParentIdentity
  /// The names of the parents whose records are compared.
  let names: Set<String>
  /// Digests of the records that were last asked for with success, by identity.
  let known: [String: String]

  /// Whether a combination, or an item of a batch, is left out; then with its identity.
  func unchanged(_ values: [(name: String, value: JSONValue)]) -> String? {
    let partition = Partition(index: 0, values: values)
    guard let identity = identity.text(of: partition), known[identity] == digest(of: values) else { return nil }
    return identity
  }

  /// What is remembered of a partition's items when they were asked for. An item that nothing identifies is never
  /// remembered, and so it is always asked for.
  func marks(of partition: Partition) -> [Mark] {
    (0..<partition.count).compactMap { item in
      guard let text = identity.text(ofItem: item, in: partition) else { return nil }
      var values = partition.values
      if let batch = partition.batch, let name = values.first?.name { values = [(name, batch[item])] }
      return Mark(item: item, identity: text, digest: digest(of: values))
    }
  }

  private func digest(of values: [(name: String, value: JSONValue)]) -> String {
    let compared = values.filter { names.contains($0.name) }.map(\.value)
    return String(ContentHash.of(JSONWriter.bytes(.array(compared))), radix: 16)
  }
}
