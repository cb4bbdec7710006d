internal import CCurl
internal import ReactorCore

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension Transfer {
  /// Converts libcurl's result to an error; nil when the transfer succeeded.
  func failure(_ code: CURLcode, _ handle: Handle) -> ReactorError? {
    if let fault { return fault }
    switch code {
    case CURLE_OK: return uncheckedEnd(handle)
    case CURLE_COULDNT_RESOLVE_HOST: return error("the host's name cannot be resolved", kind: .noConnectivity)
    case CURLE_COULDNT_RESOLVE_PROXY: return error("the proxy's name cannot be resolved", kind: .noConnectivity)
    case CURLE_COULDNT_CONNECT:
      if let refusal = handle.refusal { return error(refusal.reason) }
      return error("cannot connect\(systemReason(handle))", kind: .noConnectivity)
    case CURLE_OPERATION_TIMEDOUT: return timedOut(handle)
    case CURLE_PARTIAL_FILE: return broken("the response was cut short: the connection ended before the body did")
    case CURLE_OUT_OF_MEMORY where !hasHead:
      return error("the head of the response, or a line of it, is too large\(detail(handle))")
    case CURLE_GOT_NOTHING: return broken("the server closed the connection without a response")
    case CURLE_SEND_ERROR: return broken("the request could not be sent\(systemReason(handle))")
    case CURLE_RECV_ERROR: return receiveError(handle)
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
      return error("the response is not valid HTTP\(detail(handle))")
    case CURLE_HTTP2, CURLE_HTTP2_STREAM: return error("the response is not valid HTTP/2\(detail(handle))")
    case CURLE_PEER_FAILED_VERIFICATION: return error("the server's certificate is refused\(detail(handle))")
    case CURLE_SSL_CACERT_BADFILE: return error("the file of certificate authorities cannot be used\(detail(handle))")
    case CURLE_SSL_CERTPROBLEM: return error("the client certificate cannot be used\(detail(handle))")
    case CURLE_SSL_CONNECT_ERROR: return noTLS(handle)
    case CURLE_PROXY: return error("the proxy refused the connection\(detail(handle))")
    case CURLE_ABORTED_BY_CALLBACK:
      return error(handle.refusal?.reason ?? "the request was aborted")
    case CURLE_BAD_FUNCTION_ARGUMENT where hasHead:
      // This libcurl reports a damaged trailer with this code.
      return error("the response is not valid HTTP\(detail(handle))")
    default:
      let reason = detail(handle)
      return error(reason.isEmpty ? String(cString: ccurl_easy_strerror(code)).lowercasedFirst : "no response\(reason)")
    }
  }

  /// The error of a request that exceeded its time limit.
  func timedOut() -> ReactorError {
    error("no complete response within \(request.settings.options.timeout.inSeconds) (timeout)", kind: .timeout)
  }

  private func timedOut(_ handle: Handle) -> ReactorError {
    let options = request.settings.options
    if MonotonicClock.now + 2_000_000 >= request.deadline { return timedOut() }
    if handle.detail.contains("too slow") {
      return error(
        "fewer than \(options.lowSpeedLimit) bytes per second for \(options.lowSpeedTime.inSeconds)", kind: .timeout)
    }
    return error("no connection within \(options.connectTimeout.inSeconds)", kind: .timeout)
  }

  private func noTLS(_ handle: Handle) -> ReactorError {
    // OpenSSL reports this error when the server sends plain HTTP.
    let isPlain = handle.detail.contains("wrong version number")
    var failure = error(
      "no TLS connection" + (isPlain ? ": the server does not speak TLS on this port" : detail(handle)))
    failure.help = "name the port of HTTPS in 'base_url', or begin it with 'http://' for plain HTTP"
    return failure
  }

  private func receiveError(_ handle: Handle) -> ReactorError {
    if handle.detail.contains("certificate required") {
      var failure = error("the server demands a client certificate")
      failure.help = "name it with 'http.client_certificate'"
      return failure
    }
    var proxyStatus = 0
    _ = ccurl_get_long(handle.easy, CURLINFO_HTTP_CONNECTCODE, &proxyStatus)
    if request.proxy != nil, proxyStatus >= 300 {
      return error(
        proxyStatus == 407
          ? "the proxy asks for credentials (407)" : "the proxy refused the connection (status \(proxyStatus))")
    }
    return broken("the response was cut short or is damaged\(detail(handle))")
  }

  /// The error of a response that was cut off together with its TLS stream. Nil when the response is complete.
  ///
  /// Without a declared length, only a properly closed TLS stream shows that the response is complete.
  private func uncheckedEnd(_ handle: Handle) -> ReactorError? {
    guard request.isSecure, endsWithConnection, !handle.sawTLSEnd else { return nil }
    return error("the response was cut short: its TLS stream ended without being closed")
  }

  private func systemReason(_ handle: Handle) -> String {
    var number = 0
    _ = ccurl_get_long(handle.easy, CURLINFO_OS_ERRNO, &number)
    if number == 0 { number = Int(handle.socketFailure) }
    guard number != 0, let text = strerror(Int32(clamping: number)) else { return "" }
    return ": \(String(cString: text).lowercasedFirst)"
  }

  /// libcurl's own error text as one safe line, because some texts contain data from the server.
  private func detail(_ handle: Handle) -> String {
    let text = String(
      handle.detail.unicodeScalars.prefix(200).map { scalar in
        scalar.isASCII && scalar.value >= 0x20 && scalar.value != 0x7f ? Character(scalar) : "?"
      })
    return text.isEmpty ? "" : ": \(text.lowercasedFirst)"
  }
}

extension String {
  fileprivate var lowercasedFirst: String {
    // "SSL certificate" stays unchanged; "Recv failure" becomes "recv failure".
    guard let first, let second = dropFirst().first, second.isLowercase else { return self }
    return first.lowercased() + dropFirst()
  }
}
