/// XXH64 of a stream of bytes: tells damaged, mixed-up or foreign content from what was written.
///
/// Not cryptographic; it guards against accidents, and a writer of the folder could forge stamps anyway.
/// Algorithm: the xxHash specification, section "XXH64", with seed 0.
public struct ContentHash: Sendable {
  /// Bytes taken so far.
  public private(set) var count: Int64 = 0
  private var lanes: (UInt64, UInt64, UInt64, UInt64)
  // Bytes that do not yet fill a stripe of 32.
  private var rest: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
  private var restCount = 0

  /// Builds the hash of no bytes.
  public init() {
    lanes = (ContentHash.p1 &+ ContentHash.p2, ContentHash.p2, 0, 0 &- ContentHash.p1)
  }

  /// The hash of bytes that are all there.
  public static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
    var hash = ContentHash()
    if bytes.withContiguousStorageIfAvailable({ hash.update(UnsafeRawBufferPointer($0)) }) == nil {
      Array(bytes).withUnsafeBytes { hash.update($0) }
    }
    return hash.value
  }

  /// Takes the next bytes.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    count += Int64(bytes.count)
    var input = bytes
    if restCount > 0 {
      let taken = min(32 - restCount, input.count)
      let start = restCount
      withUnsafeMutableBytes(of: &rest) { buffer in
        UnsafeMutableRawBufferPointer(rebasing: buffer[start...])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: input[..<taken]))
      }
      restCount += taken
      input = UnsafeRawBufferPointer(rebasing: input[taken...])
      guard restCount == 32 else { return }
      withUnsafeBytes(of: rest) { ContentHash.absorb($0, into: &lanes) }
      restCount = 0
    }
    let whole = input.count & ~31
    ContentHash.absorb(UnsafeRawBufferPointer(rebasing: input[..<whole]), into: &lanes)
    guard whole < input.count else { return }
    restCount = input.count - whole
    withUnsafeMutableBytes(of: &rest) {
      $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: input[whole...]))
    }
  }

  /// The hash of everything taken so far.
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
    withUnsafeBytes(of: rest) { bytes in
      var at = 0
      while at + 8 <= restCount {
        hash ^= ContentHash.round(0, UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)))
        hash = ContentHash.rotate(hash, 27) &* ContentHash.p1 &+ ContentHash.p4
        at += 8
      }
      if at + 4 <= restCount {
        let word = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self))
        hash ^= UInt64(word) &* ContentHash.p1
        hash = ContentHash.rotate(hash, 23) &* ContentHash.p2 &+ ContentHash.p3
        at += 4
      }
      while at < restCount {
        hash ^= UInt64(bytes[at]) &* ContentHash.p5
        hash = ContentHash.rotate(hash, 11) &* ContentHash.p1
        at += 1
      }
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

  /// Takes whole stripes of 32 bytes; the four lanes stay in registers.
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

  @inline(__always)
  private static func round(_ lane: UInt64, _ input: UInt64) -> UInt64 {
    rotate(lane &+ input &* p2, 31) &* p1
  }

  @inline(__always)
  private static func rotate(_ value: UInt64, _ by: UInt64) -> UInt64 { value &<< by | value &>> (64 - by) }
}
