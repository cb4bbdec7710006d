internal import Foundation

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A port of 127.0.0.1 that is taken but refuses connections, for as long as this lives.
public final class SilentServer: Sendable {
  /// The port.
  public let port: UInt16
  private let bound: Int32

  /// `http://127.0.0.1:port`.
  public var url: String { "http://127.0.0.1:\(port)" }

  /// Takes a port.
  public init() throws {
    bound = socket(AF_INET, streamSocket, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = bound
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(bound, address, size) == 0 && getsockname(bound, address, &size) == 0
      }
    }
    guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
    port = UInt16(bigEndian: address.sin_port)
  }

  deinit { close(bound) }
}
