internal import JSONSyntax
internal import ReactorCore
internal import Records

/// Fields of a parent's record that are added to each record of its partition.
struct AddedFields: Sendable {
  let members: [JSONObject.Member]

  /// Appends the records of a batch, with these fields added, to the bytes of a result.
  ///
  /// - Throws: a parser error when a record is not an object, because only objects have fields.
  func append(_ batch: RecordBatch, format: RecordFormat, to bytes: inout [UInt8]) throws(ReactorError) {
    for row in 0..<batch.count {
      guard case .object(var record) = batch.record(row) else {
        throw .parser("'each.add' adds fields to objects, but the response has a record that is not an object")
      }
      for member in members { record[member.name] = member.value }
      if format == .json { bytes += [UInt8(ascii: ","), 0x0A] }
      bytes += JSONWriter.bytes(.object(record))
      if format != .json { bytes.append(0x0A) }
    }
  }
}
