internal import JSONSyntax
internal import ReactorCore
internal import Records

/// Fields of a parent's record that go into each record of its partition.
struct AddedFields: Sendable {
  let members: [JSONObject.Member]

  /// The records of a batch with these fields, as a part of a result.
  ///
  /// - Throws: a parser error when a record is no object, which has no fields.
  func append(_ batch: RecordBatch, format: RecordFormat, to bytes: inout [UInt8]) throws(ReactorError) {
    for row in 0..<batch.count {
      guard case .object(var record) = batch.record(row) else {
        throw .parser("'each.add' adds fields to objects, and the response holds a record that is none")
      }
      for member in members { record[member.name] = member.value }
      if format == .json { bytes += [UInt8(ascii: ","), 0x0A] }
      bytes += JSONWriter.bytes(.object(record))
      if format != .json { bytes.append(0x0A) }
    }
  }
}
