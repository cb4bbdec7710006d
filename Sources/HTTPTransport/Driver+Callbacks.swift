internal import CCurl

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// For the multi handle: what libcurl waits for on a socket.
func noteSocket(
  _ easy: UnsafeMutableRawPointer?, _ socket: curl_socket_t, _ what: Int32, _ context: UnsafeMutableRawPointer?,
  _ socketContext: UnsafeMutableRawPointer?
) -> Int32 {
  if let context {
    Unmanaged<Driver>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.watch(socket, what, for: Handle.of(easy)) }
  }
  return 0
}

/// For the multi handle: when libcurl wants to be called without a socket event.
func noteTimer(
  _ multi: UnsafeMutableRawPointer?, _ milliseconds: Int, _ context: UnsafeMutableRawPointer?
) -> Int32 {
  if let context { Unmanaged<Driver>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.setTimer(milliseconds) } }
  return 0
}

/// For each easy handle: a connection's socket was made.
func noteOpened(_ context: UnsafeMutableRawPointer?, _ socket: curl_socket_t, _ purpose: curlsocktype) -> Int32 {
  if let context { Unmanaged<Driver>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.noteOpened(socket) } }
  return CURL_SOCKOPT_OK
}

/// For each easy handle: a connection's socket is to be closed.
func closeSocket(_ context: UnsafeMutableRawPointer?, _ socket: curl_socket_t) -> Int32 {
  if let context { Unmanaged<Driver>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.noteClosing(socket) } }
  return close(socket)
}
