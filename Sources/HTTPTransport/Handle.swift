internal import CCurl

/// A libcurl easy handle, with the memory to which libcurl keeps pointers.
///
/// Belongs to the driving thread, which reuses it for later transfers.
final class Handle {
  let easy: UnsafeMutableRawPointer
  /// The transfer that uses the handle now; nil when none does.
  private(set) var transfer: Transfer?
  private let driver: Unmanaged<Driver>
  private let errorText: UnsafeMutablePointer<CChar>
  private let addressGuard: UnsafeMutablePointer<ccurl_guard>
  /// The allowed ranges; the guard compares addresses with them.
  private var ranges = UnsafeMutableBufferPointer<ccurl_range>(start: nil, count: 0)
  private var settings: TransferSettings?

  /// Creates a handle; nil when memory is short.
  init?(driver: Driver) {
    guard let easy = ccurl_easy_init() else { return nil }
    self.easy = easy
    self.driver = Unmanaged.passUnretained(driver)
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    addressGuard = .allocate(capacity: 1)
    addressGuard.initialize(to: ccurl_guard())
  }

  deinit {
    ccurl_easy_cleanup(easy)
    errorText.deallocate()
    addressGuard.deallocate()
    ranges.deallocate()
  }

  /// The `Handle` that owns a libcurl easy handle; nil for the handles that libcurl creates for itself.
  static func of(_ easy: UnsafeMutableRawPointer?) -> Handle? {
    var context: UnsafeMutableRawPointer?
    guard let easy, ccurl_get_pointer(easy, CURLINFO_PRIVATE, &context) == CURLE_OK, let context else { return nil }
    return Unmanaged<Handle>.fromOpaque(context).takeUnretainedValue()
  }

  /// libcurl's text for the last failure. Do not display it unchanged: it may contain text from the server.
  var detail: String { String(cString: errorText) }
  /// The address that the guard refused, if it refused one.
  var refusal: AddressGuard.Violation? { AddressGuard.refusal(addressGuard.pointee) }
  /// The errno value when no socket could be created, else 0.
  var socketFailure: Int32 { addressGuard.pointee.failure }
  /// Whether the TLS stream was closed properly, after a call of `watchTLSEnd()`.
  var sawTLSEnd: Bool { addressGuard.pointee.sawTLSEnd != 0 }

  /// Sets up the handle for a transfer. Returns false when libcurl refuses an option.
  func prepare(_ transfer: Transfer) -> Bool {
    let request = transfer.request
    if settings !== request.settings { guard setUp(request.settings) else { return false } }
    settings = nil
    errorText.pointee = 0
    addressGuard.pointee.refused = 0
    addressGuard.pointee.failure = 0
    addressGuard.pointee.needsRange = request.needsRange ? 1 : 0
    let now = MonotonicClock.now
    let left = request.deadline > now ? (request.deadline - now + 999_999) / 1_000_000 : 1
    let mayNotRepeat = request.method == "POST" || request.method == "PATCH"
    var isSet = CURLE_OK
    func set(_ code: CURLcode) { if isSet == CURLE_OK { isSet = code } }
    set(ccurl_set_text(easy, CURLOPT_URL, request.url))
    set(ccurl_set_long(easy, CURLOPT_TIMEOUT_MS, Int(clamping: left)))
    // The text is empty and not unset: if the option is unset, libcurl reads the environment.
    set(ccurl_set_text(easy, CURLOPT_PROXY, request.proxy ?? ""))
    set(ccurl_set_list(easy, CURLOPT_HTTPHEADER, request.headers?.first))
    set(ccurl_set_list(easy, CURLOPT_PROXYHEADER, request.proxyHeaders?.first))
    let certificate = request.clientCertificate
    set(ccurl_set_text(easy, CURLOPT_SSLCERT, certificate?.certificate))
    set(ccurl_set_text(easy, CURLOPT_SSLCERTTYPE, certificate?.format))
    set(ccurl_set_text(easy, CURLOPT_SSLKEY, certificate?.key))
    // The text is empty and not unset: if the option is unset, the TLS library asks at the terminal.
    set(ccurl_set_text(easy, CURLOPT_KEYPASSWD, certificate.map { $0.password ?? "" }))
    // libcurl repeats a request when an idle connection turns out to be closed. The server may already have acted on
    // that request, so POST and PATCH get a new connection.
    set(ccurl_set_long(easy, CURLOPT_FRESH_CONNECT, mayNotRepeat || request.isProbe ? 1 : 0))
    set(ccurl_set_long(easy, CURLOPT_FORBID_REUSE, request.isProbe ? 1 : 0))
    set(ccurl_set_long(easy, CURLOPT_CONNECT_ONLY, request.isProbe ? 1 : 0))
    // No speed limit before the head arrives, see `watchSpeed()`. The previous transfer may have set a limit.
    set(ccurl_set_long(easy, CURLOPT_LOW_SPEED_LIMIT, 0))
    set(setMethod(request))
    guard isSet == CURLE_OK else { return false }
    settings = request.settings
    self.transfer = transfer
    transfer.handle = self
    return true
  }

  /// Releases the transfer and the memory of its request.
  func release() {
    transfer?.handle = nil
    transfer = nil
    _ = ccurl_set_list(easy, CURLOPT_HTTPHEADER, nil)
    _ = ccurl_set_list(easy, CURLOPT_PROXYHEADER, nil)
  }

  /// Starts the speed check of the transfer; called from within a callback.
  func watchSpeed() {
    guard let options = settings?.options else { return }
    _ = ccurl_set_long(easy, CURLOPT_LOW_SPEED_LIMIT, max(0, options.lowSpeedLimit))
  }

  /// Starts to watch for the proper end of this transfer's TLS stream. Called from within a callback.
  func watchTLSEnd() { ccurl_watch_tls_end(easy, addressGuard) }

  /// Makes libcurl close the connection after this transfer.
  func forbidReuse() { _ = ccurl_set_long(easy, CURLOPT_FORBID_REUSE, 1) }

  fileprivate func permits(_ address: UnsafePointer<CChar>) -> Bool {
    ccurl_check_address(addressGuard, address) == Int32(ccurl_permitted)
  }

  fileprivate func noteSending(from port: Int32) { driver._withUnsafeGuaranteedRef { $0.noteSending(from: port) } }

  /// Lists the transfer as one with new data, whose reader is woken after all ready sockets were handled.
  fileprivate func touch(_ transfer: Transfer) {
    guard !transfer.isDirty else { return }
    transfer.isDirty = true
    driver._withUnsafeGuaranteedRef { $0.noteDirty(transfer) }
  }

  private func setMethod(_ request: TransferRequest) -> CURLcode {
    // HTTPGET resets the NOBODY and POST options of the previous request.
    var code = ccurl_set_long(easy, CURLOPT_HTTPGET, 1)
    let sendsBody = request.body != nil || ["POST", "PUT", "PATCH"].contains(request.method)
    if code == CURLE_OK, sendsBody {
      let body = request.body ?? []
      code = ccurl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, Int64(body.count))
      if code == CURLE_OK {
        code = body.withUnsafeBytes { bytes in
          // A null pointer would make libcurl call the read callback; it would not mean an empty body.
          withUnsafePointer(to: UInt8(0)) { empty in
            let source = bytes.baseAddress ?? UnsafeRawPointer(empty)
            return ccurl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: source))
          }
        }
      }
    }
    guard code == CURLE_OK else { return code }
    if request.method == "HEAD" { return ccurl_set_long(easy, CURLOPT_NOBODY, 1) }
    let isUsual = request.method == (sendsBody ? "POST" : "GET")
    return ccurl_set_text(easy, CURLOPT_CUSTOMREQUEST, isUsual ? nil : request.method)
  }

  /// Sets the options that all requests of a connection share.
  private func setUp(_ settings: TransferSettings) -> Bool {
    ccurl_easy_reset(easy)
    let options = settings.options
    let context = Unmanaged.passUnretained(self).toOpaque()
    ranges.deallocate()
    ranges = UnsafeMutableBufferPointer(start: nil, count: 0)
    if let list = options.allow?.ranges, !list.isEmpty {
      ranges = .allocate(capacity: list.count)
      _ = ranges.initialize(from: list)
    }
    addressGuard.pointee.ranges = UnsafePointer(ranges.baseAddress)
    addressGuard.pointee.rangeCount = ranges.count
    var result = CURLE_OK
    func set(_ code: CURLcode) { if result == CURLE_OK { result = code } }
    func set(_ option: CURLoption, _ value: Int) { set(ccurl_set_long(easy, option, value)) }
    set(ccurl_set_pointer(easy, CURLOPT_PRIVATE, context))
    set(ccurl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText))
    set(ccurl_set_pointer(easy, CURLOPT_WRITEDATA, context))
    set(ccurl_set_pointer(easy, CURLOPT_HEADERDATA, context))
    set(ccurl_set_data_function(easy, CURLOPT_WRITEFUNCTION, receiveBody))
    set(ccurl_set_data_function(easy, CURLOPT_HEADERFUNCTION, receiveHeader))
    set(ccurl_set_guard(easy, addressGuard))
    set(ccurl_set_connection_functions(easy, noteOpened, closeSocket, driver.toOpaque()))
    set(ccurl_set_sending_function(easy, checkSending, context))
    set(ccurl_set_text(easy, CURLOPT_PROTOCOLS_STR, "http,https"))
    set(ccurl_set_text(easy, CURLOPT_NOPROXY, ""))
    set(CURLOPT_NOSIGNAL, 1)
    // A transfer may end while its name resolution still runs. With this option the resolver thread cleans up after
    // itself. Without it, the driving thread would wait for the resolver thread, and all other transfers would wait
    // too.
    set(CURLOPT_QUICK_EXIT, 1)
    set(CURLOPT_BUFFERSIZE, 256 * 1024)
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    set(CURLOPT_HTTP_CONTENT_DECODING, 0)
    set(CURLOPT_HTTP09_ALLOWED, 0)
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
    set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
    set(CURLOPT_CONNECTTIMEOUT_MS, options.connectTimeout.milliseconds)
    set(CURLOPT_LOW_SPEED_TIME, max(1, (options.lowSpeedTime.milliseconds + 999) / 1_000))
    set(CURLOPT_SSL_VERIFYPEER, options.verifiesCertificates ? 1 : 0)
    set(CURLOPT_SSL_VERIFYHOST, options.verifiesCertificates ? 2 : 0)
    set(CURLOPT_PROXY_SSL_VERIFYPEER, options.verifiesCertificates ? 1 : 0)
    set(CURLOPT_PROXY_SSL_VERIFYHOST, options.verifiesCertificates ? 2 : 0)
    if let file = options.certificateFile {
      set(ccurl_set_text(easy, CURLOPT_CAINFO, file))
      set(ccurl_set_text(easy, CURLOPT_PROXY_CAINFO, file))
    }
    return result == CURLE_OK
  }
}

// MARK: - Callbacks

/// Checks the address when the connection is open and the request is not yet sent.
///
/// The address is checked again here because an idle connection may have been opened for another flow, whose allow list
/// permits more.
private func checkSending(
  _ context: UnsafeMutableRawPointer?, _ remoteAddress: UnsafeMutablePointer<CChar>?,
  _ localAddress: UnsafeMutablePointer<CChar>?, _ remotePort: Int32, _ localPort: Int32
) -> Int32 {
  guard let context, let remoteAddress else { return Int32(CURL_PREREQFUNC_ABORT) }
  return Unmanaged<Handle>.fromOpaque(context)._withUnsafeGuaranteedRef { handle in
    guard handle.permits(remoteAddress) else { return Int32(CURL_PREREQFUNC_ABORT) }
    handle.noteSending(from: localPort)
    return Int32(CURL_PREREQFUNC_OK)
  }
}

private func receiveHeader(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
  guard let context, let bytes else { return 0 }
  return Unmanaged<Handle>.fromOpaque(context)._withUnsafeGuaranteedRef { handle in
    guard let transfer = handle.transfer else { return 0 }
    handle.touch(transfer)
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return transfer.receiveHeader(line) ? line.count : 0
  }
}

private func receiveBody(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
  guard let context, let bytes, count > 0 else { return 0 }
  return Unmanaged<Handle>.fromOpaque(context)._withUnsafeGuaranteedRef { handle in
    guard let transfer = handle.transfer else { return 0 }
    handle.touch(transfer)
    return transfer.receiveBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
  }
}
