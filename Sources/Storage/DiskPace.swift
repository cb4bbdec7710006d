internal import Synchronization

/// How long publications take of late: a disk that must turn or clear cells for an fsync takes milliseconds, one with a
/// cache that survives a loss of power, or none to wait for, some microseconds.
final class DiskPace: Sendable {
  /// Up to this many nanoseconds a publication is done where it is asked for. Two changes of thread cost some 50 µs; an
  /// fsync that reaches a medium takes longer than this.
  private static let quick = 500_000

  // Held to be quick until one has been seen: a run of few flows need not start a thread for it, and of those of many flows
  // at most as many as there are processors wait for the first one.
  private let average = Atomic(quick / 2)

  /// Whether they have been quick.
  var isQuick: Bool { average.load(ordering: .relaxed) < Self.quick }

  /// Takes the length of one. The average moves by an eighth towards it: one that takes 4 ms or a few that take longer than
  /// they should are enough to be careful again, and a dozen quick ones in a row are believed.
  func note(_ length: Duration) {
    let nanoseconds = length < .seconds(1) ? Int(length.components.attoseconds / 1_000_000_000) : 1_000_000_000
    let old = average.load(ordering: .relaxed)
    // Of two at once one may be lost, which does no harm.
    average.store(old + (nanoseconds - old) / 8, ordering: .relaxed)
  }
}
