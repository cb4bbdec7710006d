internal import JSONSyntax
internal import ReactorCore
internal import Records

/// Converts the lines of a text to a JSON array of objects with the member `line`.
final class PlainLinesStage: BodyStage {
  private let line = ByteBuffer(capacity: 1024)
  private var rows = RowOutput()
  private var number = 1

  func read(_ input: UnsafeBufferPointer<UInt8>, into out: ByteBuffer) throws(ReactorError) -> Int {
    var start = 0
    for index in input.indices where input[index] == 0x0A {
      line.append(UnsafeBufferPointer(rebasing: input[start..<index]))
      endLine(out)
      start = index + 1
      // An empty line becomes a record of thirteen bytes.
      if out.count >= StagedBody.pieceBytes { return start }
    }
    line.append(UnsafeBufferPointer(rebasing: input[start...]))
    guard line.count <= RecordLimits().heldBytes else { throw .tooLong("line", number) }
    return input.count
  }

  func finish(into out: ByteBuffer) throws(ReactorError) {
    try endDocument(into: out)
    rows.finish(out)
  }

  func endDocument(into out: ByteBuffer) throws(ReactorError) {
    if line.count > 0 { endLine(out) }
    number = 1
  }

  private func endLine(_ out: ByteBuffer) {
    if line.bytes.last == 0x0D { line.truncate(to: line.count - 1) }
    rows.begin(out)
    out.append("{\"line\":")
    EscapedText.quote(line.bytes, into: out)
    out.append(UInt8(ascii: "}"))
    line.removeAll()
    number += 1
  }
}
