internal import StreamCompression

extension ForeignRecording.Exchange {
  /// The maximum size of a decoded body, in bytes.
  private static let largestBody = 256 << 20

  /// Decodes the body of the response if it is still encoded as its `Content-Encoding` says.
  ///
  /// Some programs record decoded bodies and others encoded ones, with the same header. Without that header the bytes
  /// are the content itself, for example a compressed file.
  ///
  /// - Throws: an error when the body cannot be decoded
  mutating func decodeBody() throws(FixtureError) {
    let fields = headers.filter { $0.name.lowercased() == "content-encoding" }
    let encodings = fields.flatMap { field in
      field.value.lowercased().split(separator: ",").map { word in String(word.filter { $0 != " " }) }
    }
    for encoding in encodings.reversed() where encoding != "identity" {
      switch encoding {
      case "gzip", "x-gzip":
        guard body.starts(with: [0x1F, 0x8B]) else { return }
        body = try Self.decompressed(body, .gzip)
      case "zstd":
        guard body.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) else { return }
        body = try Self.decompressed(body, .zstd)
      default:
        // A body with one of these encodings does not begin with known bytes, but it is not a text.
        guard String(validating: body, as: UTF8.self) == nil else { return }
        throw FixtureError("is encoded with '\(encoding)', which is not supported", help: "record decoded bodies")
      }
    }
  }

  private static func decompressed(_ body: [UInt8], _ format: CompressionFormat) throws(FixtureError) -> [UInt8] {
    do throws(CompressionError) {
      let decompressor = try Decompressor(format)
      decompressor.feed(body)
      var result: [UInt8] = []
      while let piece = try decompressor.next() {
        result += piece
        guard result.count <= largestBody else {
          throw CompressionError(message: "it has more than 256 MiB")
        }
      }
      try decompressor.finish()
      return result
    } catch {
      throw FixtureError("cannot be decompressed: \(error.message)", help: error.help)
    }
  }
}
