public import JSONSyntax
public import ReactorCore

extension RecordFeed {
  /// Reads a feed from its beginning; copies read independently from where they were made.
  public struct Reader: Sendable {
    let generation: FeedGeneration
    let batch: Int
    /// Where the next record begins.
    private var offset: Int64 = 0
    /// The longest record that is taken.
    private static let longest = 64 << 20

    init(generation: FeedGeneration, batch: Int) {
      self.generation = generation
      self.batch = batch
    }

    /// The next records in order, at least one; nil when all were read and the flow has ended well. Waits for more while
    /// the flow goes on.
    ///
    /// - Throws: what the flow failed with, as soon as it has; what went wrong with the file; `cancelled`.
    public mutating func next() async throws(ReactorError) -> [JSONValue]? {
      while let lines = try await nextLines() {
        let records = try Self.records(lines)
        if !records.isEmpty { return records }
      }
      return nil
    }

    /// Why the records are less than there should be; to be asked for at the end.
    public var shortfall: ReactorError? { generation.shortfall }

    /// The next bytes, wherever lines end; nil when all were read and the writer has ended well.
    public mutating func nextBytes() async throws(ReactorError) -> [UInt8]? {
      let size = try await generation.wait(beyond: offset).size
      let wanted = Int(clamping: min(Int64(batch), size - offset))
      guard wanted > 0 else { return nil }
      offset += Int64(wanted)
      return try await generation.bytes(from: offset - Int64(wanted), count: wanted)
    }

    /// The next whole lines as bytes, each with its line end.
    mutating func nextLines() async throws(ReactorError) -> [UInt8]? {
      var room = batch
      var seen: Int64 = 0
      while true {
        let (size, isOver) = try await generation.wait(beyond: max(offset, seen))
        let wanted = Int(clamping: min(Int64(room), size - offset))
        guard wanted > 0 else { return nil }
        var bytes = try await generation.bytes(from: offset, count: wanted)
        // A record that asked for more room comes alone, so that a batch is never larger than it has to be.
        if let end = room > batch ? bytes.firstIndex(of: 0x0A) : bytes.lastIndex(of: 0x0A) {
          bytes.removeLast(bytes.count - end - 1)
          offset += Int64(bytes.count)
          return bytes
        }
        if offset + Int64(wanted) < size {
          guard room < Self.longest else {
            throw .persistence("a record of more than \(Self.longest >> 20) MiB cannot be handed on")
          }
          room *= 4
        } else if isOver {
          offset += Int64(wanted)
          return bytes
        } else {
          // The line goes on where the writer has not been yet.
          seen = size
        }
      }
    }

    /// All lines as one array, which costs one parse; with blank lines among them, line by line.
    private static func records(_ lines: [UInt8]) throws(ReactorError) -> [JSONValue] {
      var text: [UInt8] = [UInt8(ascii: "[")]
      text.reserveCapacity(lines.count + 2)
      for byte in lines { text.append(byte == 0x0A ? UInt8(ascii: ",") : byte) }
      if text.last == UInt8(ascii: ",") { text.removeLast() }
      text.append(UInt8(ascii: "]"))
      if let value = try? JSONValue(parsing: text), case .array(let records) = value { return records }
      var records: [JSONValue] = []
      for line in lines.split(separator: 0x0A) where !line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) {
        do throws(JSONError) {
          records.append(try JSONValue(parsing: Array(line)))
        } catch {
          throw .parser("a record handed on is not JSON: \(error.message)")
        }
      }
      return records
    }
  }
}
