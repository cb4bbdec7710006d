internal import JSONSyntax

/// A hash of the values of a record's key, in 16 bytes; it identifies the record.
///
/// The seeds of the hash are new in each process, so no server can make two different keys equal. A fingerprint is
/// valid only within one process.
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

/// Creates fingerprints of the rows of batches. One task owns it at a time.
final class RecordFingerprints {
  private let key: [Int]
  private let text = ByteBuffer(capacity: 256)

  /// Creates fingerprints by a key.
  ///
  /// - Parameter names: fields of the schema; the result is nil when one of them is not in the schema.
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
      // JSON text never contains this byte, so it separates the values.
      text.append(0x1F)
    }
    return text.withBytes { RecordFingerprint($0) }
  }
}
