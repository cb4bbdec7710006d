internal import Synchronization

/// How long publications take of late: a disk that must turn or clear cells for an fsync takes milliseconds, one with a
/// cache that survives a loss of power, or none to wait for, some microseconds.
final class DiskPace: Sendable {
  /// Up to this many nanoseconds a publication is done where it is asked for. Two changes of thread cost some 50 µs; an
  /// fsync that reaches a medium takes longer than this.
  private static let quick = 500_000

  /// Nothing was asked yet.
  private static let unknown = 0
  private let average = Atomic(unknown)

  /// Whether the next one is to be done where it is asked for: the first one is, so that a run of one flow needs no thread
  /// for it, and then all as long as they have been quick. Until some have been seen they are held to be slow.
  func takesNext() -> Bool {
    let average = average.load(ordering: .relaxed)
    guard average == Self.unknown else { return average < Self.quick }
    return self.average.compareExchange(expected: Self.unknown, desired: 4 * Self.quick, ordering: .relaxed).exchanged
  }

  /// Takes the length of one. The average moves by an eighth towards it: one that takes 4 ms or a few that take longer than
  /// they should are enough to be careful again, and a dozen quick ones in a row are believed.
  func note(_ length: Duration) {
    let nanoseconds = length < .seconds(1) ? Int(length.components.attoseconds / 1_000_000_000) : 1_000_000_000
    let known = average.load(ordering: .relaxed)
    let old = known == Self.unknown ? 4 * Self.quick : known
    // Of two at once one may be lost, which does no harm.
    average.store(old + (nanoseconds - old) / 8, ordering: .relaxed)
  }
}
