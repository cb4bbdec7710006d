internal import CCurl

/// The rule on addresses where no connection of ours is opened to them: behind a proxy.
enum AddressGuard {
  /// An address that must not be connected to.
  struct Violation {
    /// In its usual notation.
    let address: String
    let isLinkLocal: Bool

    /// Completes "METHOD URL: ".
    var reason: String {
      if isLinkLocal {
        return "the host has the link-local address \(address), which is refused unless 'http.allow' lists it:"
          + " allow: [\(address.contains(":") ? "'\(address)'" : address)]"
      }
      return "the host has the address \(address), which 'http.allow' does not list"
    }
  }

  /// What a guard has noted.
  static func refusal(_ state: ccurl_guard) -> Violation? {
    guard state.refused != Int32(ccurl_permitted) else { return nil }
    let address = withUnsafeBytes(of: state.refusedAddress) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    return Violation(address: address, isLinkLocal: state.refused == Int32(ccurl_link_local))
  }

  /// Why a host written as an address may not be asked of a proxy; nil for names, which only the proxy resolves.
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
