/// The XXH64 hash of a stream of bytes, which detects damaged, swapped or foreign content.
///
/// The hash is not cryptographic. It protects against accidents only: a user who can write to the folder could forge
/// stamps anyway. The algorithm is the section "XXH64" of the xxHash specification, with seed 0.
public struct ContentHash: Sendable {
  /// The number of bytes hashed so far.
  public private(set) var count: Int64 = 0
  private var lanes: (UInt64, UInt64, UInt64, UInt64)
  // Bytes that do not yet fill a stripe of 32 bytes.
  private var rest: [UInt8] = []

  /// Creates a hash to which no bytes have been added yet.
  public init() {
    lanes = (ContentHash.p1 &+ ContentHash.p2, ContentHash.p2, 0, 0 &- ContentHash.p1)
  }

  /// Returns the hash of complete content.
  public static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
    var hash = ContentHash()
    if bytes.withContiguousStorageIfAvailable({ hash.update(UnsafeRawBufferPointer($0)) }) == nil {
      Array(bytes).withUnsafeBytes { hash.update($0) }
    }
    return hash.value
  }

  /// Adds the next bytes to the hash.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    count += Int64(bytes.count)
    var input = bytes
    if !rest.isEmpty {
      let taken = min(32 - rest.count, input.count)
      rest += input[..<taken]
      input = UnsafeRawBufferPointer(rebasing: input[taken...])
      guard rest.count == 32 else { return }
      rest.withUnsafeBytes { ContentHash.absorb($0, into: &lanes) }
      rest = []
    }
    let whole = input.count & ~31
    ContentHash.absorb(UnsafeRawBufferPointer(rebasing: input[..<whole]), into: &lanes)
    rest = Array(input[whole...])
  }

  /// The hash of all bytes so far.
  public var value: UInt64 {
    var hash: UInt64
    if count >= 32 {
      hash =
        ContentHash.rotate(lanes.0, 1) &+ ContentHash.rotate(lanes.1, 7) &+ ContentHash.rotate(lanes.2, 12)
        &+ ContentHash.rotate(lanes.3, 18)
      for lane in [lanes.0, lanes.1, lanes.2, lanes.3] {
        hash = (hash ^ ContentHash.round(0, lane)) &* ContentHash.p1 &+ ContentHash.p4
      }
    } else {
      hash = ContentHash.p5
    }
    hash &+= UInt64(truncatingIfNeeded: count)
    var tail = rest[...]
    while tail.count >= 8 {
      hash ^= ContentHash.round(0, ContentHash.number(tail.prefix(8)))
      hash = ContentHash.rotate(hash, 27) &* ContentHash.p1 &+ ContentHash.p4
      tail = tail.dropFirst(8)
    }
    if tail.count >= 4 {
      hash ^= ContentHash.number(tail.prefix(4)) &* ContentHash.p1
      hash = ContentHash.rotate(hash, 23) &* ContentHash.p2 &+ ContentHash.p3
      tail = tail.dropFirst(4)
    }
    for byte in tail {
      hash ^= UInt64(byte) &* ContentHash.p5
      hash = ContentHash.rotate(hash, 11) &* ContentHash.p1
    }
    hash = (hash ^ (hash >> 33)) &* ContentHash.p2
    hash = (hash ^ (hash >> 29)) &* ContentHash.p3
    return hash ^ (hash >> 32)
  }

  // MARK: -

  private static let p1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let p2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let p3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let p4: UInt64 = 0x85EB_CA77_C2B2_AE63
  private static let p5: UInt64 = 0x27D4_EB2F_1656_67C5

  /// Hashes complete stripes of 32 bytes; the four accumulators stay in registers.
  private static func absorb(
    _ stripes: UnsafeRawBufferPointer, into lanes: inout (UInt64, UInt64, UInt64, UInt64)
  ) {
    guard let start = stripes.baseAddress else { return }
    var (a, b, c, d) = lanes
    var at = start
    let end = start + stripes.count
    while at < end {
      a = round(a, UInt64(littleEndian: at.loadUnaligned(as: UInt64.self)))
      b = round(b, UInt64(littleEndian: (at + 8).loadUnaligned(as: UInt64.self)))
      c = round(c, UInt64(littleEndian: (at + 16).loadUnaligned(as: UInt64.self)))
      d = round(d, UInt64(littleEndian: (at + 24).loadUnaligned(as: UInt64.self)))
      at += 32
    }
    lanes = (a, b, c, d)
  }

  /// Returns the number that the bytes encode, in little-endian order.
  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  @inline(__always)
  private static func round(_ lane: UInt64, _ input: UInt64) -> UInt64 {
    rotate(lane &+ input &* p2, 31) &* p1
  }

  @inline(__always)
  private static func rotate(_ value: UInt64, _ by: UInt64) -> UInt64 { value &<< by | value &>> (64 - by) }
}
