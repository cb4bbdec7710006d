internal import CCurl

/// What alone may be connected to: hosts by name, addresses by range. One entry that fits is enough.
public struct HTTPAllowList: Sendable, Hashable {
  /// Addresses that begin with the same bits.
  public struct Network: Sendable, Hashable {
    /// The first address: 4 bytes (IPv4) or 16 (IPv6).
    public var bytes: [UInt8]
    /// How many leading bits count; 0 to 32 or 128.
    public var bits: Int

    /// Builds a range.
    public init(bytes: [UInt8], bits: Int) {
      self.bytes = bytes
      self.bits = bits
    }
  }

  /// Patterns of host names, in lower case; `*` stands for any characters. Addresses in URLs are no names.
  public var hosts: [String]
  /// Ranges that what a host resolves to is compared with. Link-local addresses need a range that begins among them.
  public var networks: [Network]

  /// Builds a list.
  public init(hosts: [String] = [], networks: [Network] = []) {
    self.hosts = hosts
    self.networks = networks
  }

  /// Whether a host of a URL is listed by its name.
  func lists(name host: String) -> Bool {
    guard !host.hasPrefix("["), InternetAddress(host) == nil else { return false }
    let name = host.hasSuffix(".") ? host.dropLast() : host[...]
    return hosts.contains { Self.fits(Array(name.utf8)[...], Array($0.utf8)[...]) }
  }

  /// The ranges as the guard on connections takes them.
  var ranges: [ccurl_range] {
    networks.compactMap { network in
      var range = ccurl_range()
      return network.bytes.withUnsafeBufferPointer {
        ccurl_make_range(&range, $0.baseAddress, $0.count, Int32(clamping: network.bits))
      } == 1 ? range : nil
    }
  }

  /// Goes back to the last star only: linear in the name for each star.
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
