internal import JSONSyntax
internal import ReactorCore
internal import Records

/// Converts a JSON text sequence (RFC 7464) to a JSON array.
final class JSONSequenceStage: BodyStage {
  private static let separator: UInt8 = 0x1E

  private let text = ByteBuffer(capacity: 1024)
  private let indexer = JSONIndexer()
  private var rows: RowOutput
  private var hasBegun = false
  /// The number of texts so far.
  private var number = 0

  init(_ flaws: RecordFlaws) { rows = RowOutput(flaws) }

  func read(_ input: UnsafeBufferPointer<UInt8>, into out: ByteBuffer) throws(ReactorError) -> Int {
    var start = 0
    for index in input.indices where input[index] == Self.separator {
      text.append(UnsafeBufferPointer(rebasing: input[start..<index]))
      try endText(isLast: false, out)
      start = index + 1
    }
    text.append(UnsafeBufferPointer(rebasing: input[start...]))
    guard text.count <= RecordLimits().heldBytes else { throw .tooLong("text", number + 1) }
    if !hasBegun { try checkStart() }
    return input.count
  }

  func finish(into out: ByteBuffer) throws(ReactorError) {
    try endDocument(into: out)
    rows.finish(out)
  }

  func endDocument(into out: ByteBuffer) throws(ReactorError) {
    try endText(isLast: true, out)
    (hasBegun, number) = (false, 0)
  }

  private func checkStart() throws(ReactorError) {
    guard text.bytes.allSatisfy(JSONLinesStage.isSpace) else {
      var error = ReactorError.parser(
        "the response is not a JSON text sequence: it does not begin with a record separator (0x1E)")
      error.help = "if each line is a JSON value, write 'decode: jsonl'"
      error.key = "decode"
      throw error
    }
  }

  /// Reads the text since the last separator.
  private func endText(isLast: Bool, _ out: ByteBuffer) throws(ReactorError) {
    defer { text.removeAll() }
    if !hasBegun {
      try checkStart()
      hasBegun = true
      return
    }
    // Several separators without a text between them are one.
    guard !text.bytes.allSatisfy(JSONLinesStage.isSpace) else { return }
    number += 1
    var reason = text.jsonError(indexer).map { "\($0.message) at byte \($0.offset)" }
    if reason == nil, let last = text.bytes.last, !JSONLinesStage.isSpace(last), last != UInt8(ascii: "}"),
      last != UInt8(ascii: "]"), last != UInt8(ascii: "\"")
    {
      reason = "a number or a word needs a line end after it (RFC 7464)"
    }
    guard let reason else {
      rows.begin(out)
      out.append(text.bytes)
      return
    }
    if isLast { throw .cut("the response ends in the middle of text \(number): \(reason)") }
    rows.reject(text.bytes, because: "text \(number) is not JSON: \(reason)", out)
  }
}
