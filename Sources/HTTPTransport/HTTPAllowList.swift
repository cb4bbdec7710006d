internal import CCurl

/// The only hosts and addresses that may be connected to.
///
/// Hosts are listed by name, addresses by range. One matching entry is enough.
public struct HTTPAllowList: Sendable, Hashable {
  /// A range of addresses that begin with the same bits.
  public struct Network: Sendable, Hashable {
    /// The first address: 4 bytes (IPv4) or 16 (IPv6).
    public var bytes: [UInt8]
    /// The number of leading bits that are compared: 0 to 32 (IPv4) or 0 to 128 (IPv6).
    public var bits: Int

    /// Creates a range.
    public init(bytes: [UInt8], bits: Int) {
      self.bytes = bytes
      self.bits = bits
    }
  }

  /// Patterns of host names, in lower case; `*` matches any characters.
  ///
  /// A URL whose host is an IP address matches none of the patterns.
  public var hosts: [String]
  /// Address ranges; the addresses of a resolved host are compared with them.
  ///
  /// A link-local address is allowed only by a range whose first address is link-local.
  public var networks: [Network]

  /// Creates a list.
  public init(hosts: [String] = [], networks: [Network] = []) {
    self.hosts = hosts
    self.networks = networks
  }

  /// Whether a pattern in `hosts` matches the host of a URL; false for an address.
  func lists(name host: String) -> Bool {
    guard !host.hasPrefix("["), InternetAddress(host) == nil else { return false }
    let name = host.hasSuffix(".") ? host.dropLast() : host[...]
    return hosts.contains { Self.fits(Array(name.utf8)[...], Array($0.utf8)[...]) }
  }

  /// The ranges in the format that the connection guard in C expects.
  var ranges: [ccurl_range] {
    networks.compactMap { network in
      var range = ccurl_range()
      return network.bytes.withUnsafeBufferPointer {
        ccurl_make_range(&range, $0.baseAddress, $0.count, Int32(clamping: network.bits))
      } == 1 ? range : nil
    }
  }

  /// Whether a name matches a pattern.
  ///
  /// On a mismatch the search returns to the last star only, so the time for each star is linear in the name's length.
  private static func fits(_ name: ArraySlice<UInt8>, _ pattern: ArraySlice<UInt8>) -> Bool {
    var at = name.startIndex
    var expected = pattern.startIndex
    var retry: (name: Int, pattern: Int)?
    while at < name.endIndex {
      if expected < pattern.endIndex, pattern[expected] == UInt8(ascii: "*") {
        retry = (at + 1, expected + 1)
        expected += 1
      } else if expected < pattern.endIndex, pattern[expected] == name[at] {
        at += 1
        expected += 1
      } else if let last = retry {
        at = last.name
        expected = last.pattern
        retry = (last.name + 1, last.pattern)
      } else {
        return false
      }
    }
    return pattern[expected...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}
