internal import ReactorCore
internal import Synchronization

/// Limits how often an attempt of a flow reports what it has received: the first bytes, then every 64 KiB.
///
/// Each report wakes the store, which costs more than a small chunk; the result of the flow has the exact sum.
final class ByteSteps: Sendable {
  static let step = 65_536
  private let reported = Mutex<Int?>(nil)

  /// Whether an event is reported.
  func passes(_ event: FlowEvent) -> Bool {
    guard case .received(let bytes) = event else { return true }
    return reported.withLock { reported in
      if let reported, bytes - reported < Self.step { return false }
      reported = bytes
      return true
    }
  }
}
