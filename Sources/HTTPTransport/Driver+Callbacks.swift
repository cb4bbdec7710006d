internal import CCurl

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Callback of the multi handle: tells the driver for which events of a socket libcurl waits.
func noteSocket(
  _ easy: UnsafeMutableRawPointer?, _ socket: curl_socket_t, _ what: Int32, _ context: UnsafeMutableRawPointer?,
  _ socketContext: UnsafeMutableRawPointer?
) -> Int32 {
  if let context {
    Unmanaged<Driver>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.watch(socket, what, for: Handle.of(easy)) }
  }
  return 0
}

/// Callback of the multi handle: sets the time at which libcurl must be called without a socket event.
func noteTimer(
  _ multi: UnsafeMutableRawPointer?, _ milliseconds: Int, _ context: UnsafeMutableRawPointer?
) -> Int32 {
  if let context { Unmanaged<Driver>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.setTimer(milliseconds) } }
  return 0
}

/// Callback of each easy handle: tells the driver that the socket of a new connection was created.
func noteOpened(_ context: UnsafeMutableRawPointer?, _ socket: curl_socket_t, _ purpose: curlsocktype) -> Int32 {
  if let context { Unmanaged<Driver>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.noteOpened(socket) } }
  return CURL_SOCKOPT_OK
}

/// Callback of each easy handle: closes a connection's socket.
func closeSocket(_ context: UnsafeMutableRawPointer?, _ socket: curl_socket_t) -> Int32 {
  if let context { Unmanaged<Driver>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.noteClosing(socket) } }
  return close(socket)
}
