package import ByteCodings
internal import Storage
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A standard stream that masks secrets in all text written to it.
///
/// When the reader has closed the stream (EPIPE), further text is dropped silently. Any other error is in `failure`.
package final class OutputSink: Sendable {
  private struct Content {
    var mask = SecretMask()
    var bytes: [UInt8] = []
    var isClosed = false
    var failure: String?
  }

  /// The number of bytes that are collected before they are written.
  private static let piece = 32 << 10

  /// The descriptor to which the sink writes.
  package let descriptor: Int32
  private let content = Mutex(Content())

  /// Creates a sink on an open descriptor, which the sink does not close.
  package init(descriptor: Int32) { self.descriptor = descriptor }

  /// Masks more secrets from now on.
  package func hide(_ mask: SecretMask) { content.withLock { $0.mask.formUnion(mask) } }

  /// Masks one more secret from now on.
  package func learn(_ secret: String) { content.withLock { $0.mask.add(secret) } }

  /// Writes a text of whole lines.
  package func write(_ text: String) {
    guard !text.isEmpty else { return }
    content.withLock { content in
      guard !content.isClosed else { return }
      content.bytes += content.mask.mask(text).utf8
      if content.bytes.count >= Self.piece { Self.flush(&content, descriptor) }
    }
  }

  /// Writes text in which secrets are already masked. Masking the finished text could break its format.
  package func writeMasked(_ bytes: [UInt8]) {
    content.withLock { content in
      guard !content.isClosed else { return }
      content.bytes += bytes
      if content.bytes.count >= Self.piece { Self.flush(&content, descriptor) }
    }
  }

  /// Writes the collected text to the descriptor.
  package func flush() { content.withLock { Self.flush(&$0, descriptor) } }

  /// The reason why text could not be written; nil when all was written or the reader closed the stream.
  package var failure: String? { content.withLock { $0.failure } }

  /// The text with secrets masked, for callers that build a format which later masking could break.
  package func masked(_ text: String) -> String { content.withLock { $0.mask }.mask(text) }

  private static func flush(_ content: inout Content, _ descriptor: Int32) {
    var written = 0
    while written < content.bytes.count, !content.isClosed {
      let count = content.bytes.withUnsafeBytes { bytes -> Int in
        #if canImport(Glibc)
          Glibc.write(descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
        #else
          Darwin.write(descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
        #endif
      }
      if count >= 0 {
        written += count
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        // Another process made the stream non-blocking; wait until the stream accepts more.
        var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&wait, 1, -1)
      case EPIPE: content.isClosed = true
      case let number:
        content.isClosed = true
        content.failure = WholeFile.AccessError(number).message
      }
    }
    content.bytes.removeAll(keepingCapacity: true)
  }
}
