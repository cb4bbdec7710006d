public import JSONSyntax
public import ReactorCore

extension RecordFeed {
  /// Reads a feed from its beginning. A copy continues independently from its current position.
  public struct Reader: Sendable {
    let generation: FeedGeneration
    let batch: Int
    /// The offset of the next record.
    private var offset: Int64 = 0
    /// The maximum size of a record in bytes.
    private static let longest = 64 << 20

    init(generation: FeedGeneration, batch: Int) {
      self.generation = generation
      self.batch = batch
    }

    /// Returns the next records in order, at least one. Nil when all were read and the flow succeeded.
    ///
    /// Waits for more records while the flow runs.
    ///
    /// - Throws: the flow's error, as soon as the flow has failed; an error of the file; `cancelled`.
    public mutating func next() async throws(ReactorError) -> [JSONValue]? {
      while let lines = try await nextLines() {
        let records = try Self.records(lines)
        if !records.isEmpty { return records }
      }
      return nil
    }

    /// Why records are missing; nil when none are missing. Known only after the last record was read.
    public var shortfall: ReactorError? { generation.shortfall }

    /// Returns the next bytes, which may end inside a line. Nil when all were read and the writer succeeded.
    public mutating func nextBytes() async throws(ReactorError) -> [UInt8]? {
      let size = try await generation.wait(beyond: offset).size
      let wanted = Int(clamping: min(Int64(batch), size - offset))
      guard wanted > 0 else { return nil }
      offset += Int64(wanted)
      return try await generation.bytes(from: offset - Int64(wanted), count: wanted)
    }

    /// Returns the next complete lines as bytes, each with its line end.
    mutating func nextLines() async throws(ReactorError) -> [UInt8]? {
      var room = batch
      var seen: Int64 = 0
      while true {
        let (size, isOver) = try await generation.wait(beyond: max(offset, seen))
        let wanted = Int(clamping: min(Int64(room), size - offset))
        guard wanted > 0 else { return nil }
        var bytes = try await generation.bytes(from: offset, count: wanted)
        // A record that needs a larger buffer is returned alone, so a batch is never larger than necessary.
        if let end = room > batch ? bytes.firstIndex(of: 0x0A) : bytes.lastIndex(of: 0x0A) {
          bytes.removeLast(bytes.count - end - 1)
          offset += Int64(bytes.count)
          return bytes
        }
        if offset + Int64(wanted) < size {
          guard room < Self.longest else {
            throw .persistence("a record of more than \(Self.longest >> 20) MiB cannot be passed to child flows")
          }
          room *= 4
        } else if isOver {
          offset += Int64(wanted)
          return bytes
        } else {
          // The writer has not yet written the rest of the line.
          seen = size
        }
      }
    }

    /// Parses all lines together as one array. If blank lines prevent that, parses them line by line.
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
          throw .parser("a record for child flows is not JSON: \(error.message)")
        }
      }
      return records
    }
  }
}
