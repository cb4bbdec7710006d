#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A numeric address: 4 bytes (IPv4) or 16 (IPv6).
struct InternetAddress: Equatable {
  let bytes: [UInt8]

  /// Parses the usual notation, without brackets; nil for a host name.
  init?(_ text: String) {
    var storage = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, text, &storage) == 1 {
      bytes = Array(storage.prefix(4))
    } else if inet_pton(AF_INET6, text, &storage) == 1 {
      bytes = storage
    } else {
      return nil
    }
  }

  /// Whether the first `bits` bits are equal to the network's.
  func isInside(_ network: InternetAddress, bits: Int) -> Bool {
    guard network.bytes.count == bytes.count, bits >= 0, bits <= bytes.count * 8 else { return false }
    return (0..<bits).allSatisfy { bit in
      let mask = UInt8(0x80) >> UInt8(bit % 8)
      return bytes[bit / 8] & mask == network.bytes[bit / 8] & mask
    }
  }
}
