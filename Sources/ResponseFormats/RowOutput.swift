internal import JSONSyntax
internal import ReactorCore
internal import Records

/// Writes the records of a body as one JSON array.
struct RowOutput {
  private let flaws: RecordFlaws?
  /// The number of records written so far.
  private(set) var count = 0

  init(_ flaws: RecordFlaws? = nil) { self.flaws = flaws }

  /// Writes the separator before a record. The caller writes the record.
  @inline(__always)
  mutating func begin(_ out: ByteBuffer) {
    out.append(count == 0 ? UInt8(ascii: "[") : UInt8(ascii: ","))
    count += 1
  }

  /// Writes the text of a record that cannot be read.
  mutating func reject(_ text: UnsafeBufferPointer<UInt8>, because reason: String, _ out: ByteBuffer) {
    flaws?.add(at: count, because: reason)
    begin(out)
    if UTF8Text.firstInvalidOffset(in: text) == nil {
      EscapedText.quote(text, into: out)
    } else {
      out.append(quoted: String(decoding: text, as: UTF8.self))
    }
  }

  /// Resets the number of records after the output of later records was removed.
  mutating func withdraw(to count: Int) { self.count = count }

  /// Writes the end of the array.
  func finish(_ out: ByteBuffer) {
    if count == 0 { out.append(UInt8(ascii: "[")) }
    out.append(UInt8(ascii: "]"))
  }
}

extension ReactorError {
  /// The error of a row that is larger than a record may be.
  static func tooLong(_ noun: String, _ number: Int) -> ReactorError {
    .parser("\(noun) \(number) of the response is larger than \(RecordLimits().heldBytes >> 20) MiB")
  }
}
