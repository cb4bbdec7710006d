import FlowModel
import JSONSyntax
import ReactorCore
import Records
import ResponseFormats
import StreamCompression
import Synchronization

/// What a body in a format gives.
struct Decoding: Equatable, CustomStringConvertible {
  /// The records as JSON, in order.
  var records: [String] = []
  /// The records that were rejected: `index: reason | text`.
  var rejected: [String] = []
  /// The error's message; nil when the body was read to its end.
  var error: String?
  /// What to do about the error.
  var help: String?

  var description: String { "records \(records), rejected \(rejected), error \(error ?? "none")" }

  /// Decodes a body that arrives in chunks of a size.
  static func of(
    _ body: [UInt8], as format: ResponseFormat, at path: [String] = [], lists: Set<[String]> = [], chunk: Int = 65536,
    maxBytes: Int = 64 << 20
  ) async -> Decoding {
    var decoding = Decoding()
    let chunks = stride(from: 0, to: body.count, by: chunk).map { Array(body[$0..<min($0 + chunk, body.count)]) }
    let rejected = Mutex<[RejectedRecord]>([])
    var reader = RecordReader(
      plan: MappingPlan(.wholeRecords), selection: .at(path.map { .name($0) }), isStrict: false,
      onRejected: { record in rejected.withLock { $0.append(record) } })
    var records: [String] = []
    do throws(ReactorError) {
      let decoded = try await DecodedResponse(
        ResponseBody(Chunks(chunks)), as: format, layout: XMLLayout(records: path, lists: lists), maxBytes: maxBytes)
      reader.flaws = decoded.flaws
      _ = try await reader.read(decoded.body) { (batch) throws(ReactorError) in
        for row in 0..<batch.count {
          records.append(String(decoding: JSONWriter.bytes(batch.record(row)), as: UTF8.self))
        }
      }
    } catch {
      (decoding.error, decoding.help) = (error.message, error.help)
    }
    decoding.records = records
    decoding.rejected = rejected.withLock { list in
      list.map { "\($0.index): \($0.reason) | \(String(decoding: $0.json, as: UTF8.self))" }
    }
    return decoding
  }

  static func of(
    _ text: String, as format: ResponseFormat, at path: [String] = [], lists: Set<[String]> = [], chunk: Int = 65536
  ) async -> Decoding { await of(Array(text.utf8), as: format, at: path, lists: lists, chunk: chunk) }

  private actor Chunks: ByteSource {
    private var chunks: [[UInt8]]
    init(_ chunks: [[UInt8]]) { self.chunks = chunks.reversed() }
    func next() async throws(ReactorError) -> [UInt8]? { chunks.popLast() }
    nonisolated func cancel() {}
  }
}

extension ResponseFormat {
  init(_ name: Name, _ change: (inout ResponseFormat) -> Void) {
    self.init(name)
    change(&self)
  }
}

/// The bytes as a gzip file.
func gzipped(_ bytes: [UInt8], _ format: CompressionFormat = .gzip) throws -> [UInt8] {
  let compressor = try Compressor(format)
  return try compressor.finish(bytes[...])
}

/// A zip archive, written member by member.
struct Zip {
  struct Member {
    var name: String
    var content: [UInt8]
    var isDeflated = true
    var hasDescriptor = false
    var flags: UInt16 = 0
    var checksum: UInt32?

    init(_ name: String, _ text: String) {
      self.name = name
      content = Array(text.utf8)
    }

    func with(_ change: (inout Member) -> Void) -> Member {
      var member = self
      change(&member)
      return member
    }
  }

  static func bytes(_ members: [Member]) throws -> [UInt8] {
    var (archive, directory): ([UInt8], [UInt8]) = ([], [])
    for member in members {
      // A gzip file of a stream without a name: ten bytes, the deflated content, and eight bytes.
      let packed = member.isDeflated ? Array(try gzipped(member.content).dropFirst(10).dropLast(8)) : member.content
      var sum = CRC32()
      member.content.withUnsafeBufferPointer { sum.add($0) }
      let checksum = member.checksum ?? sum.sum
      let flags = member.flags | (member.hasDescriptor ? 8 : 0)
      let sizes = little(UInt32(packed.count)) + little(UInt32(member.content.count))
      let known = member.hasDescriptor ? [UInt8](repeating: 0, count: 12) : little(checksum) + sizes
      let start = little(UInt16(20)) + little(flags) + little(UInt16(member.isDeflated ? 8 : 0)) + little(UInt32(0))
      let name = Array(member.name.utf8)
      let offset = UInt32(archive.count)
      archive += little(0x0403_4B50 as UInt32) + start + known + little(UInt16(name.count)) + little(UInt16(0)) + name
      archive += packed
      if member.hasDescriptor { archive += little(0x0807_4B50 as UInt32) + little(checksum) + sizes }
      directory += little(0x0201_4B50 as UInt32) + little(UInt16(20)) + start + little(checksum) + sizes
      directory += little(UInt16(name.count)) + [UInt8](repeating: 0, count: 12) + little(offset) + name
    }
    let count = little(UInt16(members.count))
    let end = little(0x0605_4B50 as UInt32) + [0, 0, 0, 0] + count + count + little(UInt32(directory.count))
    return archive + directory + end + little(UInt32(archive.count)) + [0, 0]
  }

  private static func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }
}
