internal import JSONSyntax
internal import Storage

/// Separates new and changed parents from unchanged parents (`only: changed`).
///
/// An unchanged parent was already requested with the same record.
struct ChangedParents: Sendable {
  /// One item of a partition: the identity of its parents, and a digest of their records.
  struct Mark: Sendable {
    var item: Int
    var identity: String
    var digest: String
  }

  let identity: ParentIdentity
  /// The names of the parents whose records are compared.
  let names: Set<String>
  /// Digests of the records at their last successful request, by identity.
  let known: [String: String]

  /// The identity of a combination or batch item that has not changed; nil for one that must be requested.
  func unchanged(_ values: [(name: String, value: JSONValue)]) -> String? {
    let partition = Partition(index: 0, values: values)
    guard let identity = identity.text(of: partition), known[identity] == digest(of: values) else { return nil }
    return identity
  }

  /// The marks to remember for the items of a requested partition.
  ///
  /// An item without an identity gets no mark, so it is requested in each run.
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
