internal import JSONSyntax
internal import ReactorCore
internal import Records

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Converts JSON Lines to a JSON array.
///
/// The lines of a chunk are checked at once. Only if one of them is not JSON, each is checked alone.
final class JSONLinesStage: BodyStage {
  private let window = ByteBuffer(capacity: 8192)
  private let line = ByteBuffer(capacity: 1024)
  private let indexer = JSONIndexer()
  private var rows: RowOutput
  private var lineNumber = 1
  private var isAtStart = true

  init(_ flaws: RecordFlaws) { rows = RowOutput(flaws) }

  func read(_ input: UnsafeBufferPointer<UInt8>, into out: ByteBuffer) throws(ReactorError) -> Int {
    guard let last = input.lastIndex(of: 0x0A) else {
      window.append(input)
      guard window.count <= RecordLimits().heldBytes else { throw .tooLong("line", lineNumber) }
      return input.count
    }
    window.append(UnsafeBufferPointer(rebasing: input[...last]))
    readLines(into: out)
    window.removeAll()
    window.append(UnsafeBufferPointer(rebasing: input[(last + 1)...]))
    return input.count
  }

  func finish(into out: ByteBuffer) throws(ReactorError) {
    try endDocument(into: out)
    rows.finish(out)
  }

  func endDocument(into out: ByteBuffer) throws(ReactorError) {
    dropMark()
    window.withBytes {
      line.removeAll(); line.append($0)
    }
    if !line.bytes.allSatisfy(Self.isSpace) {
      if let reason = reason() {
        throw .cut("the response ends in the middle of line \(lineNumber): \(reason)")
      }
      // Without a line end, the beginning of a number cannot be distinguished from the whole number.
      if let last = line.bytes.last, (0x30...0x39).contains(last) {
        throw .cut("the response may end in the middle of line \(lineNumber): a number needs a line end after it")
      }
      rows.begin(out)
      out.append(line.bytes)
    }
    window.removeAll()
    (isAtStart, lineNumber) = (true, 1)
  }

  /// Reads the lines of the window, each with its line end.
  private func readLines(into out: ByteBuffer) {
    dropMark()
    let (mark, count, number) = (out.count, rows.count, lineNumber)
    if readTogether(into: out) { return }
    out.truncate(to: mark)
    rows.withdraw(to: count)
    lineNumber = number
    readApart(into: out)
  }

  /// Reads the lines of the window if all of them are JSON; else returns false.
  private func readTogether(into out: ByteBuffer) -> Bool {
    guard let tokens = try? indexer.index(window) else { return false }
    var (start, token) = (0, 0)
    while start < window.count {
      guard let end = lineEnd(from: start) else { return false }
      if token < tokens.count, tokens.start(token) < end {
        guard let next = try? tokens.skip(token), next == tokens.count || tokens.start(next) > end,
          tokens.start(next - 1) < end
        else { return false }
        rows.begin(out)
        out.append(window.base + start, end - start)
        token = next
      }
      start = end + 1
      lineNumber += 1
    }
    return true
  }

  private func readApart(into out: ByteBuffer) {
    var start = 0
    while start < window.count, let end = lineEnd(from: start) {
      line.removeAll()
      line.append(window.base + start, end - start)
      if line.bytes.last == 0x0D { line.truncate(to: line.count - 1) }
      if !line.bytes.allSatisfy(Self.isSpace) {
        if let reason = reason() {
          rows.reject(line.bytes, because: "line \(lineNumber) is not JSON: \(reason)", out)
        } else {
          rows.begin(out)
          out.append(line.bytes)
        }
      }
      start = end + 1
      lineNumber += 1
    }
  }

  private func lineEnd(from start: Int) -> Int? {
    guard let found = memchr(window.base + start, 0x0A, window.count - start) else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(window.base)
  }

  /// Why the line is not JSON; nil when it is.
  private func reason() -> String? { line.jsonError(indexer).map { "\($0.message) at byte \($0.offset)" } }

  private func dropMark() {
    guard isAtStart else { return }
    isAtStart = false
    if window.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { window.removeFirst(3) }
  }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A }
}

extension ByteBuffer {
  /// The error of content that is not one JSON value; nil when it is one.
  func jsonError(_ indexer: JSONIndexer) -> JSONError? {
    do throws(JSONError) {
      let tokens = try indexer.index(self)
      let next = try tokens.skip(0)
      guard next == tokens.count else { return JSONError("text after the end of the value", at: tokens.start(next)) }
      return nil
    } catch {
      return error
    }
  }
}
