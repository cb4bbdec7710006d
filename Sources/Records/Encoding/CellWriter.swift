internal import JSONSyntax

/// Writes cells as JSON.
struct CellWriter {
  let plan: MappingPlan
  /// The window, which is the content of a `ByteBuffer`.
  ///
  /// Short texts are copied together with some padding after them.
  let window: UnsafePointer<UInt8>
  let text: ByteBuffer

  init(batch: RecordBatch) {
    self.init(batch: batch, window: batch.window, text: batch.text)
  }

  init(batch: RecordBatch, window: UnsafePointer<UInt8>, text: ByteBuffer) {
    plan = batch.plan
    self.window = window
    self.text = text
  }

  /// Appends the value of one cell; an absent cell becomes null.
  @inline(__always)
  func append(_ cell: Cell, to out: ByteBuffer) {
    switch cell.kind {
    case .windowText:
      out.reserve(Int(cell.length) &+ 2)
      out.append(UInt8(ascii: "\""))
      out.appendPadded(window + Int(cell.value), Int(cell.length))
      out.append(UInt8(ascii: "\""))
    case .integer: out.append(decimal: cell.value)
    case .windowNumber:
      out.reserve(Int(cell.length))
      out.appendPadded(window + Int(cell.value), Int(cell.length))
    case .ownText: EscapedText.quote(bytes(of: cell, in: text.bytes), into: out)
    case .ownNumber, .json: out.append(bytes(of: cell, in: text.bytes))
    case .constant: out.append(bytes(of: cell, in: plan.constants))
    case .true: out.append("true")
    case .false: out.append("false")
    case .null, .absent, .mismatch: out.append("null")
    }
  }

  func bytes(of cell: Cell, in memory: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: memory[Int(cell.value)..<Int(cell.value) + Int(cell.length)])
  }
}
