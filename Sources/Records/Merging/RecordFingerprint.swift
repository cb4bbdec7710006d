internal import JSONSyntax

/// What identifies a record, in 16 bytes: the values of its key, hashed with seeds that are new in each process, so that no
/// server can make two keys equal. Good within one process only.
struct RecordFingerprint: Hashable, BitwiseCopyable {
  let first: Int
  let second: Int

  /// The hash of a key's values.
  init(_ key: UnsafeBufferPointer<UInt8>) {
    func hash(_ salt: UInt8) -> Int {
      var hasher = Hasher()
      hasher.combine(salt)
      hasher.combine(bytes: UnsafeRawBufferPointer(key))
      return hasher.finalize()
    }
    first = hash(1)
    second = hash(2)
  }

  init(first: Int, second: Int) {
    self.first = first
    self.second = second
  }
}

/// Makes fingerprints of the rows of batches; one task owns it at a time.
final class RecordFingerprints {
  private let key: [Int]
  private let text = ByteBuffer(capacity: 256)

  /// - Parameter names: fields of the schema; nil when one of them is not.
  init?(_ plan: MappingPlan, key names: [String]) {
    let fields = plan.objects[0].mappings.map(\.name)
    key = names.compactMap { fields.firstIndex(of: $0) }
    guard key.count == names.count, !key.isEmpty else { return nil }
  }

  func of(_ batch: RecordBatch, _ row: Int) -> RecordFingerprint {
    text.removeAll()
    let writer = CellWriter(batch: batch)
    for field in key {
      writer.append(batch.cells[row * batch.width + field], to: text)
      // No JSON text holds this byte.
      text.append(0x1F)
    }
    return text.withBytes { RecordFingerprint($0) }
  }
}
