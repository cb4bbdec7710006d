import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// Listens on a free loopback port and never answers.
final class SilentServer {
  /// A connection, open for as long as this is kept.
  final class Connection: Sendable {
    private let descriptor: Int32
    init(_ descriptor: Int32) { self.descriptor = descriptor }
    deinit { close(descriptor) }
  }

  struct Failure: Error {}

  let port: UInt16
  private let descriptor: Int32

  init() throws {
    #if canImport(Glibc)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, 16) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isListening else { throw Failure() }
    port = UInt16(bigEndian: address.sin_port)
  }

  deinit { close(descriptor) }

  /// Waits for somebody to connect, at most 20 seconds, on a thread of its own.
  func accept() async throws -> Connection {
    let descriptor = descriptor
    let connection: Int32 = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, 20_000) == 1 else { return continuation.resume(returning: -1) }
        #if canImport(Glibc)
          continuation.resume(returning: Glibc.accept(descriptor, nil, nil))
        #else
          continuation.resume(returning: Darwin.accept(descriptor, nil, nil))
        #endif
      }
    }
    guard connection >= 0 else { throw Failure() }
    return Connection(connection)
  }
}
