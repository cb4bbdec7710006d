internal import ReactorCore
internal import Synchronization

/// A response body that arrives in chunks: decodes them, counts the bytes and checks the end.
final class TransferBody: ByteSource {
  private struct Reading {
    var decoder: ContentDecoder?
    var count = 0
    var hasEnded = false
  }

  private enum Step {
    case chunk([UInt8])
    case needsInput
    case damaged
    case tooLarge
  }

  private let transfer: Transfer
  /// Keeps the driving thread alive while the body is read.
  private let client: HTTPClient
  private let coding: ContentCoding
  private let maxBytes: Int
  private let reading: Mutex<Reading>

  init(_ transfer: Transfer, head: ResponseHead, client: HTTPClient) {
    self.transfer = transfer
    self.client = client
    coding = head.coding
    maxBytes = transfer.request.settings.options.maxBodyBytes
    reading = Mutex(Reading())
  }

  deinit { transfer.abandon() }

  func cancel() { transfer.abandon() }

  func next() async throws(ReactorError) -> [UInt8]? {
    // Bytes without a coding are already counted when libcurl passes them on.
    guard coding != .identity else { return try await transfer.nextChunk() }
    while true {
      switch reading.withLock({ decode(&$0) }) {
      case .chunk(let bytes): return bytes
      case .damaged: throw broken("the response's \(coding.name) body is damaged")
      case .tooLarge:
        transfer.abandon()
        throw transfer.error("the response is larger than \(maxBytes) bytes once decoded (max_bytes)")
      case .needsInput: break
      }
      let sent = try await transfer.nextChunk()
      let isWhole = reading.withLock { feed(sent, to: &$0) }
      guard isWhole else { throw broken("the response's \(coding.name) body is cut short") }
      if sent == nil { return nil }
    }
  }

  private func decode(_ reading: inout Reading) -> Step {
    guard let decoder = reading.decoder else { return .needsInput }
    while !decoder.needsInput {
      guard let bytes = decoder.next(atMost: Transfer.chunkSize) else {
        return .damaged
      }
      guard bytes.count <= maxBytes - reading.count else {
        return .tooLarge
      }
      reading.count += bytes.count
      if !bytes.isEmpty { return .chunk(bytes) }
    }
    return .needsInput
  }

  /// Passes the received bytes to the decoder. Returns false when the body ends before its coding is complete.
  private func feed(_ sent: [UInt8]?, to reading: inout Reading) -> Bool {
    guard let sent else {
      // Without any byte the body is empty, whatever its coding is. The transfer has already checked the length.
      return reading.decoder?.isComplete ?? true
    }
    if reading.decoder == nil { reading.decoder = ContentDecoder(coding) }
    guard let decoder = reading.decoder else { return false }
    decoder.feed(sent)
    return true
  }

  private func broken(_ reason: String) -> ReactorError {
    transfer.abandon()
    return transfer.broken(reason)
  }
}
