@testable import HTTPTransport
import Foundation
import Testing

@Suite struct OpenConnectionsTests {
  /// A socket that is bound to a port of loopback, which a test closes.
  private func bound() throws -> (socket: Int32, port: Int32) {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(socket, address, size) == 0 && getsockname(socket, address, &size) == 0
      }
    }
    try #require(isBound)
    return (socket, Int32(UInt16(bigEndian: address.sin_port)))
  }

  @Test func `a request wakes the idle connection of its port and no other`() throws {
    let (first, second) = (try bound(), try bound())
    defer { for socket in [first.socket, second.socket] { close(socket) } }
    var connections = OpenConnections()
    for socket in [first.socket, second.socket] {
      connections.add(socket)
      #expect(!connections.isIdle(socket))
      let isOurs = connections.rest(socket)
      #expect(isOurs)
      #expect(connections.isIdle(socket))
    }
    var woken: [Int32] = []
    connections.use(from: second.port) { woken.append($0) }
    #expect(woken == [second.socket])
    #expect(connections.isIdle(first.socket))
    #expect(!connections.isIdle(second.socket))
    // It is under way: nothing is left to wake.
    connections.use(from: second.port) { woken.append($0) }
    #expect(woken.count == 1)
    connections.use(first.socket, nil)
    #expect(!connections.isIdle(first.socket))
  }

  @Test func `what was closed, or was never ours, is not idle`() throws {
    var connections = OpenConnections()
    var isOurs = connections.rest(7)
    #expect(!isOurs)
    connections.add(7)
    isOurs = connections.rest(7)
    #expect(isOurs)
    connections.remove(7)
    #expect(!connections.isIdle(7))
    // The number may come back as another connection's.
    connections.add(7)
    #expect(!connections.isIdle(7))
  }
}
