internal import CCurl

/// Reports addresses that must not be connected to, directly or through a proxy.
enum AddressGuard {
  /// An address that must not be connected to.
  struct Violation {
    /// The address in its usual notation.
    let address: String
    let isLinkLocal: Bool

    /// The reason; completes a message that begins with "METHOD URL: ".
    var reason: String {
      if isLinkLocal {
        return "the host has the link-local address \(address), which is refused unless 'http.allow' lists it:"
          + " allow: [\(address.contains(":") ? "'\(address)'" : address)]"
      }
      return "the host has the address \(address), which 'http.allow' does not list"
    }
  }

  /// The address that the guard refused, from the guard's state; nil when it refused none.
  static func refusal(_ state: ccurl_guard) -> Violation? {
    guard state.refused != Int32(ccurl_permitted) else { return nil }
    let address = withUnsafeBytes(of: state.refusedAddress) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    return Violation(address: address, isLinkLocal: state.refused == Int32(ccurl_link_local))
  }

  /// Why a host that is an address must not be requested through a proxy.
  ///
  /// Nil when the address is permitted, and for host names, because only the proxy resolves them.
  static func refusal(ofLiteral host: String, needsRange: Bool, list: HTTPAllowList?) -> Violation? {
    let plain = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    return (list?.ranges ?? []).withUnsafeBufferPointer { ranges in
      var state = ccurl_guard()
      state.ranges = ranges.baseAddress
      state.rangeCount = ranges.count
      state.needsRange = needsRange ? 1 : 0
      _ = ccurl_check_address(&state, plain)
      return state.refusedAddress.0 == 0 ? nil : refusal(state)
    }
  }
}
