import FlyingSocks

/// Generates numbered records while they are sent.
///
/// The same number of records always gives the same bytes. Memory use is constant.
struct LargeFeed: AsyncBufferedSequence {
  typealias Element = UInt8

  /// The number of records.
  let records: Int
  /// Whether the records are under `data`, next to a `total`; otherwise they are a bare array.
  let envelope: Bool

  func makeAsyncIterator() -> Iterator { Iterator(records: records, envelope: envelope) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    private let records: Int
    private let envelope: Bool
    private var next = 0
    private var isStarted = false
    private var isEnded = false

    init(records: Int, envelope: Bool) {
      self.records = records
      self.envelope = envelope
    }

    /// Required by the protocol; the server only uses `nextBuffer`.
    mutating func next() async throws -> UInt8? { try await nextBuffer(suggested: 1)?.first }

    mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
      guard !isEnded else { return nil }
      var buffer: [UInt8] = []
      buffer.reserveCapacity(count + 256)
      if !isStarted {
        isStarted = true
        buffer += Array((envelope ? "{\"total\":\(records),\"data\":[" : "[").utf8)
      }
      while next < records, buffer.count < count {
        if next > 0 { buffer.append(UInt8(ascii: ",")) }
        LargeFeed.append(record: next, to: &buffer)
        next += 1
      }
      if next == records {
        isEnded = true
        buffer += Array((envelope ? "]}" : "]").utf8)
      }
      return buffer
    }
  }

  /// Appends one record of about 120 bytes; every value is derived from the index.
  private static func append(record index: Int, to buffer: inout [UInt8]) {
    let id = 9_007_199_254_740_993 &+ index
    buffer.append(contentsOf: "{\"id\":".utf8)
    append(id, to: &buffer)
    buffer.append(contentsOf: ",\"sku\":\"T-".utf8)
    append(index % 1000, to: &buffer)
    buffer.append(contentsOf: "\",\"amount\":\"".utf8)
    append(index % 100_000, to: &buffer)
    buffer.append(UInt8(ascii: "."))
    buffer.append(UInt8(ascii: "0") + UInt8(index % 10))
    buffer.append(contentsOf: "5\",\"ratio\":0.".utf8)
    append(index % 8 * 125, to: &buffer)
    buffer.append(contentsOf: ",\"paid\":".utf8)
    buffer.append(contentsOf: (index.isMultiple(of: 3) ? "false" : "true").utf8)
    buffer.append(contentsOf: ",\"at\":\"2024-01-01T00:00:".utf8)
    if index % 60 < 10 { buffer.append(UInt8(ascii: "0")) }
    append(index % 60, to: &buffer)
    buffer.append(contentsOf: "Z\",\"tags\":[\"a\",\"b\"]}".utf8)
  }

  private static func append(_ number: Int, to buffer: inout [UInt8]) {
    buffer.append(contentsOf: String(number).utf8)
  }
}
