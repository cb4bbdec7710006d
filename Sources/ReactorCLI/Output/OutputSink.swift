package import ByteCodings
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// One of the standard streams. Everything that is written to it passes the mask first.
///
/// A reader that went away (EPIPE) ends the writing silently; any other error is in `failure`.
package final class OutputSink: Sendable {
  private struct Content {
    var mask = SecretMask()
    var bytes: [UInt8] = []
    var isClosed = false
    var failure: String?
  }

  /// Bytes that are collected before they are written.
  private static let piece = 32 << 10

  /// Where it writes.
  package let descriptor: Int32
  private let content = Mutex(Content())

  /// Writes to an open descriptor, which is not closed.
  package init(descriptor: Int32) { self.descriptor = descriptor }

  /// Sets the secrets that are masked from now on.
  package func hide(_ mask: SecretMask) { content.withLock { $0.mask = mask } }

  /// Masks one more secret from now on.
  package func learn(_ secret: String) { content.withLock { $0.mask.add(secret) } }

  /// Adds a text of whole lines.
  package func write(_ text: String) {
    guard !text.isEmpty else { return }
    content.withLock { content in
      guard !content.isClosed else { return }
      content.bytes += content.mask.mask(text).utf8
      if content.bytes.count >= Self.piece { Self.flush(&content, descriptor) }
    }
  }

  /// Adds text in which secrets are hidden already, and whose form masking could break.
  package func writeMasked(_ bytes: [UInt8]) {
    content.withLock { content in
      guard !content.isClosed else { return }
      content.bytes += bytes
      if content.bytes.count >= Self.piece { Self.flush(&content, descriptor) }
    }
  }

  /// Writes what was collected.
  package func flush() { content.withLock { Self.flush(&$0, descriptor) } }

  /// Why not everything could be written; nil when it could, or when the reader went away.
  package var failure: String? { content.withLock { $0.failure } }

  /// The text with secrets replaced, for those who build texts that masking could break.
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
        // Somebody else made the stream non-blocking; wait until it takes more.
        var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&wait, 1, -1)
      case EPIPE: content.isClosed = true
      case let number:
        content.isClosed = true
        content.failure = DiskFiles.reason(number)
      }
    }
    content.bytes.removeAll(keepingCapacity: true)
  }
}
