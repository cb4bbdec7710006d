internal import JSONSyntax
internal import ReactorCore
internal import Synchronization

/// Converts the bytes of a body to other bytes, step by step. One task owns a stage at a time.
protocol BodyStage: AnyObject {
  /// Converts some of the bytes and appends the result to `out`; returns the number of bytes read.
  ///
  /// A stage whose output can be much larger than its input returns when `out` has `StagedBody.pieceBytes`. A stage that
  /// reads no byte appends at least one, and gets the same bytes again.
  func read(_ input: UnsafeBufferPointer<UInt8>, into out: ByteBuffer) throws(ReactorError) -> Int

  /// Sets the name of the archive member that the next document comes from, for errors.
  func beginMember(_ name: String)

  /// Ends a document. Another one may follow, for example the next member of an archive.
  func endDocument(into out: ByteBuffer) throws(ReactorError)

  /// Appends the remaining output at the end of the body, and checks that the body is complete.
  func finish(into out: ByteBuffer) throws(ReactorError)
}

extension BodyStage {
  func beginMember(_ name: String) {}
}

/// Two stages, one after the other.
final class PipedStage: BodyStage {
  private let first: any BodyStage
  private let second: any BodyStage
  /// The output of the first stage; `position` is the number of its bytes that the second stage has read.
  private let middle = ByteBuffer(capacity: 4096)
  private var position = 0
  private var taken = 0

  init(_ first: any BodyStage, _ second: any BodyStage) {
    self.first = first
    self.second = second
  }

  func read(_ input: UnsafeBufferPointer<UInt8>, into out: ByteBuffer) throws(ReactorError) -> Int {
    if position == middle.count {
      middle.removeAll()
      position = 0
      taken = try first.read(input, into: middle)
    }
    if position < middle.count {
      position += try second.read(UnsafeBufferPointer(rebasing: middle.bytes[position...]), into: out)
    }
    return position == middle.count ? taken : 0
  }

  func beginMember(_ name: String) {
    first.beginMember(name)
    second.beginMember(name)
  }

  func endDocument(into out: ByteBuffer) throws(ReactorError) {
    try drain(out) { (middle) throws(ReactorError) in try first.endDocument(into: middle) }
    try second.endDocument(into: out)
  }

  func finish(into out: ByteBuffer) throws(ReactorError) {
    try drain(out) { (middle) throws(ReactorError) in try first.finish(into: middle) }
    try second.finish(into: out)
  }

  private func drain(_ out: ByteBuffer, _ end: (ByteBuffer) throws(ReactorError) -> Void) throws(ReactorError) {
    middle.removeAll()
    try end(middle)
    position = 0
    while position < middle.count {
      position += try second.read(UnsafeBufferPointer(rebasing: middle.bytes[position...]), into: out)
    }
  }
}

/// A stage that passes on the bytes of one document unchanged.
final class PlainStage: BodyStage {
  func read(_ input: UnsafeBufferPointer<UInt8>, into out: ByteBuffer) throws(ReactorError) -> Int {
    out.append(input)
    return input.count
  }

  func endDocument(into out: ByteBuffer) throws(ReactorError) {}
  func finish(into out: ByteBuffer) throws(ReactorError) {}
}

/// A body that passes through a stage while it is read.
actor StagedBody: ByteSource {
  /// The size at which a piece of output is passed on, in bytes.
  static let pieceBytes = 256 << 10

  private let body: ResponseBody
  private let stage: any BodyStage
  private let out = ByteBuffer(capacity: 4096)
  private var chunk: [UInt8] = []
  private var position = 0
  private var hasEnded = false

  init(_ body: ResponseBody, through stage: sending any BodyStage) {
    self.body = body
    self.stage = stage
  }

  nonisolated func cancel() { body.cancel() }

  func next() async throws(ReactorError) -> [UInt8]? {
    while !hasEnded {
      out.removeAll()
      if position < chunk.count {
        position += try chunk.withUnsafeBufferPointer { (bytes) throws(ReactorError) in
          try stage.read(UnsafeBufferPointer(rebasing: bytes[position...]), into: out)
        }
      } else if let next = try await body.next() {
        chunk = next
        position = 0
      } else {
        hasEnded = true
        try stage.finish(into: out)
      }
      if out.count > 0 { return out.copy() }
    }
    return nil
  }
}

/// Counts the bytes of a body.
final class ByteCounter: ByteSource {
  private let body: ResponseBody
  private let counted = Mutex(0)

  init(_ body: ResponseBody) { self.body = body }

  var count: Int { counted.withLock { $0 } }

  func cancel() { body.cancel() }

  func next() async throws(ReactorError) -> [UInt8]? {
    let chunk = try await body.next()
    if let chunk { counted.withLock { $0 += chunk.count } }
    return chunk
  }
}
